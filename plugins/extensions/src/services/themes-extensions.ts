import {provide} from '@gemini-kernel/kernel';
import type {ThemeSource} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** Themes of extensions. */
export default provide('themes:extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service, tell}): ThemeSource => ({
    async list() {
      const active = await (await service('extensions')).active();
      for (const {name, themeFaults} of active) {
        for (const fault of themeFaults) {
          const sentence = `Extension "${name}": a theme is not used, because ${fault}.`;
          tell({code: 'EXTENSION_LEFT_OUT', sentence, once: sentence});
        }
      }
      return active.flatMap(({name: from, themes}) => themes.map((theme) => ({...theme, from})));
    },
  }),
});
