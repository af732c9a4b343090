import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('model', {
  description: 'Model to use: a name, or provider:name (openai:qwen3).',
  type: 'string',
  char: 'm',
  commands: ['acp', 'agents:run', 'chat', 'models'],
  setting: 'model.name',
});
