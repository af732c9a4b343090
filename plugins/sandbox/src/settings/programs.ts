import {defineSetting} from '@gemini-kernel/kernel';

/** A project can add to it, and take nothing away. */
export default defineSetting('tools.sandboxPrograms', {
  schema: {type: 'array', items: {type: 'string', enum: ['command', 'server', 'hook', 'checker']}},
  default: ['command'],
  merge: 'union',
  description: 'What runs in the sandbox: command (of the model), server (MCP), hook, checker. Commands always do.',
  category: 'Sandbox',
});
