import {defineFlag} from '@gemini-kernel/kernel';

/** `--frozen`: read by the host before any plugin is, for it says which plugins may be. */
export default defineFlag('frozen', {
  description: 'Let only plugins load that a lock pins by their content; with a lock of the project, only those in it.',
  type: 'boolean',
  setting: 'plugins.frozen',
});
