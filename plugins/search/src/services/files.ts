import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../contract.js';
import {LiveFiles} from '../find/live-files.js';

/** Files and directories of the workspace by a part of their path. Nothing is listed before the first question. */
export default provide('files', {
  version: '1.0.0',
  scope: 'session',
  capability: 'fs:read',
  methods: ['find'],
  async create({service}) {
    const [search, settings] = await Promise.all([service('search'), service('settings')]);
    return new LiveFiles({search, settings, now: () => performance.now()});
  },
  // What `create` gave is what comes back.
  describe: (files) => (files as LiveFiles).describe(),
  dispose: (files) => (files as LiveFiles).dispose(),
});
