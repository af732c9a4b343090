import {defineTool, isToolError, markForeign, type Part, ToolError} from '@gemini-kernel/kernel';
import {findUrls, readUrl} from '../address/read-url.js';
import type {Page} from '../contract.js';

const MOST_URLS = 20;
/** Characters of a call's pages that go to the model. */
const MOST_TEXT = 60_000;

export default defineTool({
  name: 'web_fetch',
  description:
    'Fetches web pages as Markdown, text, pictures or PDF, and gives you their content. Public pages ' +
    'only. A long page comes in parts: call again with the same url and the offset that the result names.',
  effect: 'fetch',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: true},
  input: {
    type: 'object',
    properties: {
      url: {type: 'string', description: 'One address.'},
      prompt: {type: 'string', description: `Up to ${MOST_URLS} addresses, in any text around them.`},
      offset: {type: 'integer', minimum: 0, description: 'Skip so many characters of the page at url.'},
    },
  },
  touches: async (input) => urlsOf(input).map((value) => ({kind: 'url', value, access: 'read'})),
  preview: async (input) => ({kind: 'urls', urls: urlsOf(input)}),
  async run(input, {service, signal, progress}) {
    const web = await service('web');
    const urls = urlsOf(input);
    let done = 0;
    const fetched = await Promise.all(
      urls.map(async (url) => {
        const page = await web.fetch(url, {signal}).catch((error: unknown) => keepFailure(error, urls.length));
        progress({text: url, done: (done += 1), total: urls.length});
        return {url, page};
      }),
    );
    const most = Math.floor(MOST_TEXT / urls.length);
    const parts = fetched.flatMap(({url, page}) => show(url, page, {offset: input.offset ?? 0, most}));
    return {
      model: parts,
      display: fetched.map(({url, page}) => summarise(url, page)).join('\n'),
      data: {
        pages: fetched.map(({url, page}) =>
          isToolError(page)
            ? {url, error: {code: page.code, message: page.message}}
            : {url, finalUrl: page.finalUrl, status: page.status, type: page.type},
        ),
      },
    };
  },
});

/** Throws ToolError URL_INVALID. */
function urlsOf({url, prompt}: {readonly url?: string; readonly prompt?: string}): readonly string[] {
  const found = url === undefined ? findUrls(prompt ?? '') : [url];
  if (found.length === 0)
    throw new ToolError('URL_INVALID', 'There is no address to fetch.', {hint: 'Give a whole address as url.'});
  if (found.length > MOST_URLS)
    throw new ToolError('URL_INVALID', `There are ${found.length} addresses; one call fetches ${MOST_URLS}.`);
  return [...new Set(found.map((one) => readUrl(one).href))];
}

/** One page of several may fail without the others; a single one fails the call. */
function keepFailure(error: unknown, count: number): ToolError {
  if (count > 1 && isToolError(error)) return error;
  throw error;
}

function show(
  url: string,
  page: Page | ToolError,
  {offset, most}: {readonly offset: number; readonly most: number},
): readonly Part[] {
  if (isToolError(page)) return [{text: `${url} was not fetched: ${page.message}`}];
  const {finalUrl, status, type, title, text, data} = page;
  const about = [
    `Page: ${finalUrl}${finalUrl === url ? '' : ` (redirected from ${url})`}`,
    ...(status < 400 ? [] : [`Status: ${status}. This is an error page.`]),
  ];
  if (data !== undefined) return [{text: `${about.join('\n')}\nType: ${type}`}, {inlineData: {mimeType: type, data}}];
  const all = [...(title === undefined ? [] : [`# ${title}`]), text ?? ''].join('\n\n');
  const part = cut(all, offset, most);
  const next = offset + part.length;
  const rest =
    next < all.length
      ? [`Characters ${offset} to ${next} of ${all.length}. For more, call web_fetch with this url and offset ${next}.`]
      : [];
  return [{text: [...about, ...rest, markForeign(part, finalUrl)].join('\n')}];
}

/** A part that ends at a line or a word where there is one, and never within a character. */
function cut(text: string, offset: number, most: number): string {
  const part = text.slice(offset, offset + most);
  if (offset + most >= text.length) return part;
  const at = Math.max(part.lastIndexOf('\n'), part.length - 200 + part.slice(-200).lastIndexOf(' '));
  const end = at > most / 2 ? at + 1 : part.length;
  return /[\uD800-\uDBFF]$/.test(part.slice(0, end)) ? part.slice(0, end - 1) : part.slice(0, end);
}

function summarise(url: string, page: Page | ToolError): string {
  if (isToolError(page)) return `${url}: ${page.message}`;
  const size = page.text === undefined ? page.type : `${page.text.length} characters`;
  return `${page.finalUrl}: ${page.status >= 400 ? `status ${page.status}, ` : ''}${size}`;
}
