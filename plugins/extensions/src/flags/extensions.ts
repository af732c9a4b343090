import {defineFlag} from '@gemini-kernel/kernel';

/** `-e a,b`: the only extensions of this run. */
export default defineFlag('extensions', {
  char: 'e',
  description: 'The only extensions to use in this run, separated by commas; can be repeated. none = no extension.',
  type: 'string',
  multiple: true,
  setting: 'extensions.only',
});
