/** What a source of hooks lists. */
export const hookSourceItem = {
  type: 'object',
  required: ['owner', 'hooks'],
  properties: {
    owner: {type: 'string', minLength: 1},
    hooks: {type: 'object'},
    variables: {type: 'object', additionalProperties: {type: 'string'}},
    isManaged: {type: 'boolean'},
  },
};
