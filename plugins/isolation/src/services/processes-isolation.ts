import {provide} from '@gemini-kernel/kernel';
import type {ProcessSource} from '@gemini-kernel/plugin-doctor/contract';
import type {} from '../contract.js';
import {joinProcesses} from '../uses/join-processes.js';

/** What running plugins in processes of their own came to, for `gemini doctor`. */
export default provide('processes:isolation', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  methods: ['list'],
  create: ({service}): ProcessSource => ({
    async list() {
      const isolation = await service('isolation');
      return joinProcesses(await isolation.records(), await isolation.state());
    },
  }),
});
