import {provide} from '@gemini-kernel/kernel';
import {readTextSync} from '@gemini-kernel/files';
import type {ContextSource, SourcedContext} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** The context files of extensions: a person agreed to them, so they are instructions. */
export default provide('context:extensions', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list'],
  create: ({service, tell}): ContextSource => ({
    async list() {
      const sections: SourcedContext[] = [];
      for (const {name, contextFiles} of await (await service('extensions')).active()) {
        for (const file of contextFiles) {
          try {
            const text = readTextSync(file);
            if (text.trim() !== '')
              sections.push({place: 'start', title: `Extension ${name}`, text: text.trim(), from: name});
          } catch (error) {
            const reason = error instanceof Error ? error.message : String(error);
            tell({code: 'EXTENSION_LEFT_OUT', sentence: `Extension "${name}": ${reason}`, once: file});
          }
        }
      }
      return sections;
    },
  }),
});
