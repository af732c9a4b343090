import {provide} from '@gemini-kernel/kernel';
import type {PlanFolderSource} from '@gemini-kernel/plugin-plan/contract';
import type {} from '../contract.js';

/** Folders for plans that extensions name. */
export default provide('plan-folders:extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service, tell}): PlanFolderSource => ({
    async list() {
      const active = await (await service('extensions')).active();
      for (const {name, planFault} of active) {
        if (planFault === undefined) continue;
        const sentence = `Extension "${name}": its folder for plans is not used, because ${planFault}.`;
        tell({code: 'EXTENSION_LEFT_OUT', sentence, once: sentence});
      }
      return active.flatMap(({name: owner, planFolder: directory}) =>
        directory === undefined ? [] : [{owner, directory}],
      );
    },
  }),
});
