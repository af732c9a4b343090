import {provide} from '@gemini-kernel/kernel';
import type {HookSource, SourcedHooks} from '@gemini-kernel/plugin-hooks/contract';
import type {} from '../contract.js';
import {readHooks} from '../manifest/read-hooks.js';

/** Hooks of extensions. */
export default provide('hook-sources:extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service, environment, tell}): HookSource => ({
    async list() {
      const found: SourcedHooks[] = [];
      for (const {name: owner, folder, values, isManaged = false} of await (await service('extensions')).active()) {
        const reading = readHooks(folder, environment.platform);
        if ('fault' in reading) {
          const sentence = `Extension "${owner}": its hooks are not used, because ${reading.fault}.`;
          tell({code: 'EXTENSION_LEFT_OUT', sentence, once: sentence});
        } else if (reading.hooks) {
          // The shell puts these in: a folder with an odd name stays one word of text, and never becomes a command.
          const places = {extensionPath: folder, workspacePath: environment.cwd};
          found.push({owner, hooks: reading.hooks, variables: {...values, ...places}, isManaged});
        }
      }
      return found;
    },
  }),
});
