import {defineSettings} from '@gemini-kernel/kernel';

/** The setting in which grants are kept. */
export const KEPT = 'security.pluginGrants';

const mode = {type: 'string', enum: ['required', 'preferred', 'off']} as const;

/** A project can make them stricter, and nothing looser. */
export default defineSettings('security', {
  pluginIsolation: {
    schema: mode,
    default: 'off',
    description:
      'Whether installed plugins run in processes of their own: required, preferred (where this machine can), or off.',
    category: 'Security',
  },
  isolatedPlugins: {
    schema: {type: 'array', items: {type: 'string'}},
    default: [],
    merge: 'union',
    description: 'Installed plugins that must run in a process of their own, whatever holds for the others.',
    category: 'Security',
  },
  pluginGrants: {
    schema: {type: 'array', items: {type: 'string'}},
    default: [],
    merge: 'union',
    description:
      'Optional capabilities that plugins have for good, each as "<plugin> <capability>". What a project says does ' +
      'not count.',
    category: 'Security',
  },
});
