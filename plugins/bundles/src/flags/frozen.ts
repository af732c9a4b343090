import {defineFlag} from '@gemini-kernel/kernel';

/** `--frozen`: the host reads it before any plugin loads, because it decides which plugins may load. */
export default defineFlag('frozen', {
  description: 'Load only plugins that a lock pins by content; if the project has a lock, only those in it.',
  type: 'boolean',
  setting: 'plugins.frozen',
});
