import {defineTool, markForeign} from '@gemini-kernel/kernel';
import type {SearchAnswer} from '../contract.js';

export default defineTool({
  name: 'google_web_search',
  description: 'Searches the web. Gives an answer or excerpts, with numbered sources; fetch those with web_fetch.',
  effect: 'fetch',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: true},
  input: {
    type: 'object',
    required: ['query'],
    properties: {query: {type: 'string', minLength: 1, maxLength: 1000, description: 'What to look for.'}},
  },
  async run({query}, {service, signal}) {
    const found = await (await service('finder')).search(query, {signal});
    const {hits, answer} = found;
    if (hits.length === 0 && answer === undefined)
      return {
        model: `No search results or information found for query: ${JSON.stringify(query)}`,
        display: 'no results',
        data: found,
      };
    return {
      model: `Web search results for ${JSON.stringify(query)}:\n${markForeign(describe(found), 'web search')}`,
      display: `${hits.length} ${hits.length === 1 ? 'source' : 'sources'}`,
      data: found,
    };
  },
});

function describe({answer, hits}: SearchAnswer): string {
  const sources = hits.map(({title, url}, index) => `[${index + 1}] ${title} (${url})`);
  if (answer !== undefined) return [answer, '', 'Sources:', ...sources].join('\n');
  return hits
    .map(({snippet}, index) => [sources[index], ...(snippet === undefined ? [] : [snippet])].join('\n'))
    .join('\n\n');
}
