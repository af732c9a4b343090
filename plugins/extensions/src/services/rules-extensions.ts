import {provide} from '@gemini-kernel/kernel';
import type {RuleProvider} from '@gemini-kernel/plugin-policy/contract';
import type {} from '../contract.js';

/** Rules of extensions, and the tools that they exclude: both only make calls stricter. */
export default provide('rules:extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service}): RuleProvider => ({
    async list() {
      const active = await (await service('extensions')).active();
      return active.map(({name, folder, excludedTools}) => ({name, folder, excludedTools}));
    },
  }),
});
