import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('require-guards', {
  description: 'Start only if every guard of tool calls shows that it refuses what it must.',
  type: 'boolean',
  setting: 'security.requireGuards',
});
