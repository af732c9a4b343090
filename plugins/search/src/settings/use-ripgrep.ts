import {defineSetting} from '@gemini-kernel/kernel';

/** Whether ripgrep is used when there is one. */
export default defineSetting('tools.useRipgrep', {
  schema: {type: 'boolean'},
  default: true,
  description: 'Search with ripgrep when there is one.',
  category: 'Search',
});
