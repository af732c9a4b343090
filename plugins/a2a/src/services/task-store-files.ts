import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {FileStorage} from '../store/file-storage.js';

/** Tasks of other agents, in files of the person. */
export default provide('task-store:files', {
  version: '1.0.0',
  scope: 'program',
  // It has what callers asked, and the secrets of their receivers.
  reserved: true,
  methods: ['put', 'get', 'remove', 'ids', 'hold', 'isHeld', 'release'],
  create: ({environment}) => new FileStorage(join(environment.home, '.gemini', 'a2a')),
});
