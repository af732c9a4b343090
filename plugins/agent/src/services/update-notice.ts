import {provide} from '@gemini-kernel/kernel';
import type {UpdateNotice} from '../contract.js';

/** Says in the session that there is a newer version. */
export default provide('update-notice', {
  version: '1.0.0',
  scope: 'session',
  methods: ['show'],
  create: ({tell}): UpdateNotice => ({
    async show({name, version, newer}) {
      const sentence = `gemini ${newer} is available; this is ${version}. To install it: npm install --global ${name}`;
      tell({level: 'info', code: 'UPDATE_AVAILABLE', sentence, once: sentence});
    },
  }),
});
