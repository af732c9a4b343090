/** What a source of folders of agents lists. */
export const folderItem = {
  type: 'object',
  required: ['path', 'owner'],
  properties: {path: {type: 'string', minLength: 1}, owner: {type: 'string', minLength: 1}},
} as const;
