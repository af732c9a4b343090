import {basename, join} from 'node:path';
import {provide, ToolError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Tracker} from '../contract.js';
import {LiveTracker} from '../tracker/live-tracker.js';
import {TaskFiles} from '../tracker/task-files.js';

/** The tasks that the model works through, where they are tracked. */
export default provide('tracker', {
  version: '1.0.0',
  scope: 'session',
  capability: 'fs:write',
  methods: ['list', 'create', 'get', 'update'],
  create: ({service, session, environment, tell}): Tracker =>
    new LiveTracker({
      files: async () => {
        // The id of a session that another program wrote becomes a name of a folder.
        if (basename(session.id) !== session.id) throw new ToolError('TRACKER_INVALID', 'This session has an odd id.');
        const {temporary} = await (await service('project')).claim();
        return new TaskFiles(join(temporary, session.id, 'tracker'));
      },
      tell: (sentence) => tell({code: 'TRACKER_TASK_LEFT_OUT', sentence, once: sentence}),
      newId: () => environment.newId(),
      now: () => new Date(),
    }),
});
