import {provide} from '@gemini-kernel/kernel';
import type {FileVersion} from '../contract.js';

/** Remembers, for one session, which version of each file was last read or written. */
export default provide('versions', {
  version: '1.0.0',
  scope: 'session',
  capability: 'fs:read',
  methods: ['remember', 'recall'],
  create() {
    const versions = new Map<string, FileVersion>();
    return {
      async remember(path, version) {
        const known = versions.get(path);
        versions.set(path, known?.stamp === version.stamp ? {...known, ...version} : version);
      },
      async recall(path) {
        return versions.get(path);
      },
    };
  },
});
