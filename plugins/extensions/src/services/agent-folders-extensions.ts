import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
import type {AgentFolderSource} from '@gemini-kernel/plugin-subagents/contract';
import type {} from '../contract.js';

/** Agents of extensions. */
export default provide('agent-folders:extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service}): AgentFolderSource => ({
    async list() {
      const active = await (await service('extensions')).active();
      return active
        .map(({name: owner, folder}) => ({path: join(folder, 'agents'), owner}))
        .filter(({path}) => existsSync(path));
    },
  }),
});
