import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LocalQueues} from '../queue/local-queues.js';

/** Queues in folders, each owned by one process. */
export default provide('queue:local', {
  version: '1.0.0',
  scope: 'program',
  // Its tasks have what people want done, and it decides what runs.
  reserved: true,
  methods: ['put', 'claim', 'beat', 'finish', 'fail', 'cancel', 'retry', 'set', 'list', 'counts', 'watch', 'close'],
  create: ({signal}) => new LocalQueues(signal),
  dispose: (queues) => (queues as LocalQueues).closeAll(),
});
