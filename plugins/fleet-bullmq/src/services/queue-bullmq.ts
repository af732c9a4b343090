import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-fleet/contract';
import {SharedQueues} from '../shared-queues.js';

/** Queues on PostgreSQL, Redis or Valkey, for workers on any number of machines. */
export default provide('queue:bullmq', {
  version: '1.0.0',
  scope: 'program',
  // Its tasks have what people want done, and it decides what runs.
  reserved: true,
  methods: ['put', 'claim', 'beat', 'finish', 'fail', 'cancel', 'retry', 'set', 'list', 'counts', 'watch', 'close'],
  create: ({signal}) => new SharedQueues(signal),
  dispose: (queues) => (queues as SharedQueues).closeAll(),
});
