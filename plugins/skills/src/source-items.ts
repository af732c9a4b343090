/** What a source of folders of skills lists. */
export const skillFolderItem = {
  type: 'object',
  required: ['path', 'owner'],
  properties: {
    path: {type: 'string', minLength: 1},
    owner: {type: 'string', minLength: 1},
    origin: {enum: ['extension', 'bundle']},
    isManaged: {const: true},
  },
} as const;
