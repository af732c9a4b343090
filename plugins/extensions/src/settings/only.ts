import {defineSetting} from '@gemini-kernel/kernel';

/** The extensions of a run. */
export default defineSetting('extensions.only', {
  schema: {type: 'array', items: {type: 'string'}},
  default: [],
  description: 'The only extensions to use, by name; none = no extension. Empty: those that are enabled.',
  category: 'Extensions',
});
