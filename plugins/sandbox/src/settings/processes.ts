import {defineSetting} from '@gemini-kernel/kernel';

/** Read without what a project says. */
export default defineSetting('tools.sandboxProcesses', {
  schema: {type: 'integer', minimum: 0, maximum: 4_000_000},
  default: 2048,
  description:
    'Most processes and threads of a command in the sandbox; 0: no limit. The kernel does not count those of root.',
  category: 'Sandbox',
});
