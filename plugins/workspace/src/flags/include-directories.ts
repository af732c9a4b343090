import {defineFlag} from '@gemini-kernel/kernel';

/** `--include-directories a,b`: more directories that tools reach in this run. */
export default defineFlag('include-directories', {
  description: 'More directories that tools may reach, separated by commas; can be repeated.',
  type: 'string',
  multiple: true,
  setting: 'context.includeDirectories',
});
