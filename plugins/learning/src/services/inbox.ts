import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Inbox} from '../contract.js';
import {LiveInbox} from '../inbox/live-inbox.js';

/** What was learned in this project and waits for the person. */
export default provide('inbox', {
  version: '1.1.0',
  scope: 'session',
  capability: 'fs:write',
  methods: ['list', 'find', 'file', 'cases', 'apply', 'dismiss', 'undo'],
  create: ({service, environment: {home}}): Inbox =>
    new LiveInbox(async () => {
      const project = await (await service('project')).find();
      return project && {memory: join(project.temporary, 'memory'), home, cwd: project.root};
    }),
});
