import {defineSettings} from '@gemini-kernel/kernel';

/** Who answers google_web_search. */
export default defineSettings('web.search', {
  provider: {
    schema: {type: 'string', enum: ['gemini', 'searxng', 'brave', 'tavily', 'kagi', 'custom', 'off']},
    description:
      'Who answers google_web_search; by default Gemini where it is configured. Settings of a project do not count.',
    category: 'Web',
  },
  url: {
    schema: {type: 'string'},
    description: 'The address of the provider. Needed for searxng, and for custom with {query} in it.',
    category: 'Web',
  },
  key: {schema: {type: 'string'}, description: 'The key of the provider.', category: 'Web', secret: true},
  header: {
    schema: {type: 'string'},
    default: 'Authorization: Bearer {key}',
    description: 'The header with the key, for custom.',
    category: 'Web',
  },
  fields: {
    schema: {
      type: 'object',
      properties: {
        results: {type: 'string', description: 'Path of the list, such as data.items.'},
        title: {type: 'string', description: 'Of one result.'},
        url: {type: 'string', description: 'Of one result.'},
        snippet: {type: 'string', description: 'Of one result.'},
      },
    },
    description: 'Where the results are in the JSON of a custom provider.',
    category: 'Web',
  },
});
