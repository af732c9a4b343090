import {defineFlag} from '@gemini-kernel/kernel';

/** `--screen-reader`: nothing on the screen is redrawn; events are reported in words. */
export default defineFlag('screen-reader', {
  description: 'Print plain text for screen readers.',
  type: 'boolean',
  commands: ['chat'],
  setting: 'ui.accessibility.screenReader',
});
