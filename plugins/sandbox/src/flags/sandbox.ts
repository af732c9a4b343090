import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('sandbox', {
  description: 'Confine the commands that gemini runs. GEMINI_SANDBOX wins over it.',
  type: 'boolean',
  char: 's',
  setting: 'tools.sandbox',
});
