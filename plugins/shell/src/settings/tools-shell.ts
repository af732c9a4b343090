import {defineSettings} from '@gemini-kernel/kernel';

/** How long commands may run, and what they see of git's configuration. */
export default defineSettings('tools.shell', {
  inactivityTimeout: {
    schema: {type: 'number'},
    default: 300,
    description: 'Seconds without output after which a command is stopped; 0 is never.',
    category: 'Shell',
  },
  timeout: {
    schema: {type: 'number'},
    default: 3600,
    description: 'Seconds after which a command is stopped, whatever it prints; 0 is never.',
    category: 'Shell',
  },
  isolateGit: {
    schema: {type: 'boolean'},
    default: false,
    description: "Keep the user's and the system's configuration of git from commands.",
    category: 'Shell',
  },
});
