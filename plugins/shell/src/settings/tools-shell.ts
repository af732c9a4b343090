import {defineSettings} from '@gemini-kernel/kernel';

/** How long commands may run, and whether they see git's configuration. */
export default defineSettings('tools.shell', {
  inactivityTimeout: {
    schema: {type: 'number'},
    default: 300,
    description: 'Seconds without output after which a command is stopped; 0 = never.',
    category: 'Shell',
  },
  timeout: {
    schema: {type: 'number'},
    default: 3600,
    description: 'Seconds after which a command is stopped, even if it prints; 0 = never.',
    category: 'Shell',
  },
  isolateGit: {
    schema: {type: 'boolean'},
    default: false,
    description: "Hide the user's and the system's git configuration from commands.",
    category: 'Shell',
  },
});
