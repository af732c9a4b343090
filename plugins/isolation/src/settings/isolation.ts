import {defineSettings} from '@gemini-kernel/kernel';

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
});
