import {defineSetting} from '@gemini-kernel/kernel';

/** Read without what a project says. */
export default defineSetting('tools.sandboxMemory', {
  schema: {type: 'integer', minimum: 0},
  default: 0,
  description: 'Most memory of each process in the sandbox, in megabytes; 0: no limit.',
  category: 'Sandbox',
});
