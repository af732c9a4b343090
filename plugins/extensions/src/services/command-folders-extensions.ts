import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
import type {CommandFolderSource} from '@gemini-kernel/plugin-custom-commands/contract';
import type {} from '../contract.js';

/** Slash commands of extensions. */
export default provide('command-folders:extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service}): CommandFolderSource => ({
    async list() {
      const active = await (await service('extensions')).active();
      return active.map(({name: owner, folder}) => ({folder: join(folder, 'commands'), owner}));
    },
  }),
});
