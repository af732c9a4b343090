import {defineSettings} from '@gemini-kernel/kernel';

/** What the terminal interface takes over from the terminal, beside what Gemini CLI knows. */
export default defineSettings('ui', {
  mouseWheel: {
    schema: {type: 'boolean'},
    default: false,
    description:
      'With ui.useAlternateBuffer, the wheel scrolls the history. Most terminals then select text only with Shift.',
    category: 'UI',
  },
});
