import {defineSetting} from '@gemini-kernel/kernel';

/** How much of a command's output the model sees. */
export default defineSetting('tools.truncateToolOutputThreshold', {
  schema: {type: 'number'},
  default: 40_000,
  description: 'Characters of tool output beyond which it is shortened; 0 or less = never.',
  category: 'Shell',
});
