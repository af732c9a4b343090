import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
import {findFolderFault} from '@gemini-kernel/admission/start';
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
      for (const bundle of await (await service('bundles')).list())
        for (const folder of bundle.skills ?? []) {
          const {name: owner, origin} = bundle;
          const record = join(cacheDir, 'skills', `${origin}-${owner}-${folder.name}.tree`);
          const fault = await findFolderFault(bundle, folder, record);
          if (fault === undefined)
            found.push({path: folder.path, owner, origin: 'bundle', ...(origin === 'user' ? {} : {isManaged: true})});
          else {
            const sentence = `The skill "${folder.name}" of the bundle ${owner} is not used: ${fault.clause}.`;
            tell({code: 'SKILL_LEFT_OUT', sentence, once: sentence});
          }
        }
      return found;
    },
  }),
});
