import {defineFlag} from '@gemini-kernel/kernel';

/** `--include-directories a,b`: more directories that tools reach in this run. */
export default defineFlag('include-directories', {
  description: 'More directories that tools may reach; commas separate several, and it may be repeated.',
  type: 'string',
  multiple: true,
  setting: 'context.includeDirectories',
});
