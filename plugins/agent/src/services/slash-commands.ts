import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveSlashCommands} from '../slash/live-slash-commands.js';

/** What you can type after a slash in a session. */
export default provide('slash-commands', {
  version: '1.0.0',
  scope: 'session',
  // A person asked for what it runs.
  reserved: true,
  methods: ['list', 'find', 'run', 'complete'],
  create: (context) => new LiveSlashCommands(context),
});
