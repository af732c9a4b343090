import {defineTool} from '@gemini-kernel/kernel';
import {listPages, searchPages} from '../docs/describe-pages.js';
import {findPage, readPages} from '../docs/pages.js';

export default defineTool({
  name: 'get_internal_docs',
  effect: 'read',
  description:
    'Reads the documentation of this program, gemini, which comes with it. Without arguments it lists the pages; ' +
    '`path` gives a page, `query` the lines that have all of some words.',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      path: {type: 'string', minLength: 1, description: 'Name of a page, such as agents.md.'},
      query: {type: 'string', minLength: 1, description: 'Words to look for in all pages.'},
    },
  },
  async run({path, query}) {
    const pages = await readPages();
    if (path !== undefined) {
      const {name, text} = findPage(pages, path);
      return {model: `Page docs/${name}:\n\n${text}`, display: `docs/${name}`, plain: text};
    }
    const text = query === undefined ? listPages(pages) : searchPages(pages, query);
    return {model: text, display: text, plain: text};
  },
});
