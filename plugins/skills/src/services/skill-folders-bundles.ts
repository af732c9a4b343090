import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
import {verifyTree} from '@gemini-kernel/admission';
import type {} from '@gemini-kernel/admission/contract';
import type {SkillFolder, SkillFolderSource} from '../contract.js';

/** Skills of the bundles in force, as they were signed. */
export default provide('skill-folders:bundles', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service, names, tell, environment: {cacheDir}}): SkillFolderSource => ({
    async list() {
      if (names('bundles').length === 0) return [];
      const found: SkillFolder[] = [];
      for (const {name: owner, origin, skills = []} of await (await service('bundles')).list())
        for (const {name, path, tree} of skills) {
          const record = join(cacheDir, 'skills', `${origin}-${owner}-${name}.tree`);
          const fault = await verifyTree({root: path, tree, record});
          if (fault === undefined) found.push({path, owner});
          else {
            const sentence = `The skill "${name}" of the bundle ${owner} is not used: ${fault}.`;
            tell({code: 'SKILL_LEFT_OUT', sentence, once: sentence});
          }
        }
      return found;
    },
  }),
});
