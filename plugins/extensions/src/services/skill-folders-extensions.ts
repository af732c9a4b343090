import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
import type {SkillFolderSource} from '@gemini-kernel/plugin-skills/contract';
import type {} from '../contract.js';

/** Skills of extensions. */
export default provide('skill-folders:extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service}): SkillFolderSource => ({
    async list() {
      const active = await (await service('extensions')).active();
      // A start reads what is listed and checks each item, so a folder that is not there is not listed.
      return active
        .map(({name: owner, folder}) => ({path: join(folder, 'skills'), owner}))
        .filter(({path}) => existsSync(path));
    },
  }),
});
