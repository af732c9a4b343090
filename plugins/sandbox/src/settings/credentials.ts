import {defineSetting} from '@gemini-kernel/kernel';

/** Read without what a project says: a project must not say where secrets go. */
export default defineSetting('tools.sandboxCredentials', {
  schema: {
    type: 'array',
    items: {
      type: 'object',
      required: ['host', 'variable'],
      additionalProperties: false,
      properties: {
        host: {type: 'string', minLength: 1},
        variable: {type: 'string', minLength: 1},
        header: {type: 'string', minLength: 1},
        prefix: {type: 'string'},
      },
    },
  },
  default: [],
  description:
    'Secrets that gemini adds to requests of commands in the sandbox: the host, and the variable with the secret. ' +
    'The header is authorization, with the prefix "Bearer ", unless header and prefix say otherwise.',
  category: 'Sandbox',
});
