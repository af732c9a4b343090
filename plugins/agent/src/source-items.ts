const word = '[^\\s/"\'\\\\\\p{C}][^\\s"\'\\\\\\p{C}]*';

/** The schema of the items of a source of commands. */
export const commandItem = {
  type: 'object',
  required: ['name', 'description'],
  properties: {
    name: {type: 'string', pattern: `^${word}(?: ${word})*$`},
    id: {type: 'string', minLength: 1},
    description: {type: 'string'},
    argumentHint: {type: 'string'},
    arguments: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: {type: 'string', minLength: 1},
          description: {type: 'string'},
          isRequired: {type: 'boolean'},
        },
      },
    },
    origin: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: {enum: ['project', 'person', 'extension', 'server']},
        name: {type: 'string', minLength: 1},
      },
    },
  },
} as const;

/** The schema of the items of a source of context. */
export const contextItem = {
  type: 'object',
  required: ['place', 'title', 'text'],
  properties: {
    place: {enum: ['system', 'start']},
    title: {type: 'string'},
    text: {type: 'string'},
    from: {type: 'string'},
    isForeign: {type: 'boolean'},
  },
} as const;
