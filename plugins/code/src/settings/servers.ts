import {defineSettings} from '@gemini-kernel/kernel';

/** Which language servers run, and for what. */
export default defineSettings('code', {
  servers: {
    schema: {type: 'object', additionalProperties: {type: 'array', items: {type: 'string'}}},
    description:
      'The command of a language server by language, such as {"go": ["/opt/go/bin/gopls"]}; [] for none. ' +
      'Settings of a project do not count.',
    category: 'Code',
  },
  checkEdits: {
    schema: {type: 'boolean'},
    default: true,
    description:
      'Whether a language server that is installed says which new errors an edit makes. Settings of a project do not ' +
      'count.',
    category: 'Code',
  },
});
