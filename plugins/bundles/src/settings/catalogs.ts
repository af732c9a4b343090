import {defineSettings} from '@gemini-kernel/kernel';

/** Where plugins and extensions are searched. */
export default defineSettings('catalogs', {
  sources: {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['location'],
        additionalProperties: false,
        properties: {
          location: {type: 'string', minLength: 1, description: 'An https address or the absolute path of a file.'},
          key: {type: 'string', description: 'Public Ed25519 key, as base64; the catalog must be signed with it.'},
        },
      },
    },
    default: [],
    merge: 'concat',
    description: 'Catalogs to search, in this order. Those of a project do not count.',
    category: 'Plugins',
  },
  managedOnly: {
    schema: {type: 'boolean'},
    default: false,
    description:
      "Search only the administrator's catalogs and those of bundles, and not npm. A project's value does not count.",
    category: 'Plugins',
  },
});
