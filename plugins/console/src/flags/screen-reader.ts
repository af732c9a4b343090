import {defineFlag} from '@gemini-kernel/kernel';

/** `--screen-reader`: nothing on the screen ever changes; what happens is said in words. */
export default defineFlag('screen-reader', {
  description: 'Print plain text that screen readers can follow.',
  type: 'boolean',
  commands: ['chat'],
  setting: 'ui.accessibility.screenReader',
});
