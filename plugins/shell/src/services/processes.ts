import {provide} from '@gemini-kernel/kernel';
import {SessionProcesses} from '../session-processes.js';

/** The commands of one session. */
export default provide('processes', {
  version: '1.1.0',
  scope: 'session',
  capability: 'process',
  methods: ['run', 'attend', 'foreground', 'detach', 'offerKeyboard', 'type', 'stop', 'start', 'list', 'read'],
  create: (context) => new SessionProcesses(context),
  dispose: (processes) => (processes as SessionProcesses).close(),
});
