import {provide} from '@gemini-kernel/kernel';
import {SessionProcesses} from '../session-processes.js';

/** The commands of one session. */
export default provide('processes', {
  version: '1.0.0',
  scope: 'session',
  capability: 'process',
  methods: ['run', 'start', 'list', 'read'],
  create: (context) => new SessionProcesses(context),
  dispose: (processes) => (processes as SessionProcesses).close(),
});
