import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveSlashCommands} from '../slash/live-slash-commands.js';

/** What can be typed in a session. */
export default provide('slash-commands', {
  version: '1.0.0',
  scope: 'session',
  // What it runs a person asked for.
  reserved: true,
  methods: ['list', 'find', 'run', 'complete'],
  create: (context) => new LiveSlashCommands(context),
});
