import {createServer, type IncomingMessage, type Server} from 'node:http';
import {once} from 'node:events';
import {text as readAll} from 'node:stream/consumers';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-web/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';

const plugins = ['settings', 'trust', 'env', 'network', 'policy', 'workspace', 'model-gemini', 'web'].map(pluginRoot);

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let base: string;
let seen: Seen | undefined;
let reply: {readonly status?: number; readonly body: string} = {body: '{}'};

beforeAll(async () => {
  server = createServer((request, answer) => {
    void readAll(request).then((body) => {
      seen = {url: request.url ?? '', headers: request.headers, body};
      answer.writeHead(reply.status ?? 200, {'content-type': 'application/json'}).end(reply.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void (server.closeAllConnections(), server.close()));

function open(
  search: object | undefined,
  variables: object = {},
  files: Record<string, string> = {},
): Promise<TestKernel> {
  return createTestKernel({
    plugins,
    files,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', ...variables},
    homeFiles: {'.gemini/settings.json': JSON.stringify(search === undefined ? {} : {web: {search}})},
  });
}

async function isOffered(kernel: TestKernel): Promise<boolean> {
  return (await kernel.session.offered()).some(({name}) => name === 'google_web_search');
}

const hit = {title: 'A <b>title</b>', url: 'https://a.example/'};
const list = [
  {...hit, t: 0, content: 'an\n excerpt', description: 'an excerpt', snippet: 'an excerpt'},
  {title: 'Script', url: 'javascript:alert(1)'},
  {title: 3, url: 'https://b.example/'},
  'nonsense',
];
const hits = [
  {title: 'A title', url: 'https://a.example/', snippet: 'an excerpt'},
  {title: 'https://b.example/', url: 'https://b.example/'},
];

describe('google_web_search', () => {
  test.each([
    ['searxng', {}, {results: list}, '/search?format=json&q=two%20words', {}],
    ['brave', {key: 'k'}, {web: {results: list}}, '/res/v1/web/search?q=two%20words', {'x-subscription-token': 'k'}],
    ['kagi', {key: 'k'}, {data: list}, '/api/v0/search?q=two%20words', {authorization: 'Bot k'}],
    [
      'custom',
      {key: 'k', header: 'X-Key: {key}', fields: {results: 'a.b', snippet: 'description'}, path: '/find?for={query}'},
      {a: {b: list}},
      '/find?for=two%20words',
      {'x-key': 'k'},
    ],
    ['tavily', {key: 'k'}, {results: list}, '/search', {authorization: 'Bearer k'}],
  ] as const)('asks %s as the settings say [web.search]', async (provider, more, answer, path, headers) => {
    const {path: own = '', ...rest} = more as {path?: string};
    reply = {body: JSON.stringify(answer)};
    await using kernel = await open({provider, url: base + own, ...rest});
    expect(await isOffered(kernel)).toBe(true);
    const outcome = await kernel.call('google_web_search', {query: 'two words'});
    expect(outcome).toMatchObject({status: 'done', result: {data: {hits}, display: '2 sources'}});
    expect(outcome).toMatchObject({
      result: {
        model: expect.stringContaining(
          '<untrusted_context source="web search">\n[1] A title (https://a.example/)\nan excerpt',
        ),
      },
    });
    expect(seen?.url).toBe(path);
    expect(seen?.headers).toMatchObject(headers);
    if (provider === 'tavily') expect(JSON.parse(seen?.body ?? '')).toEqual({query: 'two words', include_answer: true});
  });

  test('gives the answer of a provider with its sources [web.search]', async () => {
    reply = {body: JSON.stringify({answer: 'It is so.', results: list})};
    await using kernel = await open({provider: 'tavily', url: base, key: 'k'});
    expect(await kernel.call('google_web_search', {query: 'x'})).toMatchObject({
      result: {model: expect.stringContaining('It is so.\n\nSources:\n[1] A title (https://a.example/)')},
    });
  });

  test('says that nothing was found', async () => {
    reply = {body: '{"results": []}'};
    await using kernel = await open({provider: 'searxng', url: base});
    expect(await kernel.call('google_web_search', {query: 'x'})).toMatchObject({
      result: {model: 'No search results or information found for query: "x"'},
    });
  });

  test.each([
    [{status: 500, body: ''}, 'searxng did not answer the search: its status was 500.'],
    [{body: '<html>'}, 'searxng did not answer the search: its answer is not JSON.'],
  ])('names a provider that fails: %j [web.search]', async (given, message) => {
    reply = given;
    await using kernel = await open({provider: 'searxng', url: base});
    expect(await kernel.call('google_web_search', {query: 'x'})).toMatchObject({
      status: 'failed',
      error: {code: 'SEARCH_FAILED', message},
    });
  });

  test('searches with Gemini where there is a key, and cites in bytes [web.search]', async () => {
    const text = 'Grüße sind da. Und mehr.';
    const first = Buffer.byteLength('Grüße sind da.');
    reply = {
      body: JSON.stringify({
        candidates: [
          {
            content: {parts: [{text: 'thinking', thought: true}, {text}]},
            groundingMetadata: {
              groundingChunks: [
                {web: {uri: 'javascript:x', title: 'bad'}},
                {web: {uri: 'https://a.example/', title: 'A'}},
              ],
              groundingSupports: [
                {segment: {endIndex: first}, groundingChunkIndices: [0, 1]},
                {segment: {endIndex: 4}, groundingChunkIndices: [1]},
              ],
            },
          },
        ],
      }),
    };
    await using kernel = await open(undefined, {GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: base});
    expect(await isOffered(kernel)).toBe(true);
    expect(await kernel.call('google_web_search', {query: 'hello'})).toMatchObject({
      result: {
        data: {answer: 'Grü[1]ße sind da.[1] Und mehr.', hits: [{title: 'A', url: 'https://a.example/'}]},
      },
    });
    expect(JSON.parse(seen?.body ?? '')).toMatchObject({tools: [{googleSearch: {}}]});
  });

  test('names a search with Gemini that fails [web.search]', async () => {
    reply = {status: 400, body: '{"error": {"code": 400, "message": "bad", "status": "INVALID_ARGUMENT"}}'};
    await using kernel = await open(undefined, {GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: base});
    expect(await kernel.call('google_web_search', {query: 'hello'})).toMatchObject({
      status: 'failed',
      error: {code: 'GROUNDING_FAILED', message: expect.stringContaining('The search failed:')},
    });
  });

  test.each([
    [undefined, 'There is no key for the Gemini API. Set web.search.provider to'],
    [{provider: 'off'}, 'web.search.provider is off.'],
    [{provider: 'brave'}, 'web.search.provider is brave, which needs web.search.key.'],
    [{provider: 'searxng'}, 'web.search.provider is searxng, which needs web.search.url.'],
    [{provider: 'searxng', url: 'ftp://x'}, 'web.search.url is ftp://x, which is not an address.'],
  ])('is not offered with %j, and says why [web.search]', async (search, sentence) => {
    await using kernel = await open(search);
    expect(await isOffered(kernel)).toBe(false);
    expect(await (await kernel.service('finder')).missing()).toContain(sentence);
    expect(await kernel.call('google_web_search', {query: 'x'})).toMatchObject({error: {code: 'SEARCH_FAILED'}});
  });

  test('a project does not decide where queries go [web.search]', async () => {
    const files = {'.gemini/settings.json': JSON.stringify({web: {search: {provider: 'searxng', url: base}}})};
    await using kernel = await open(undefined, {}, files);
    expect(await isOffered(kernel)).toBe(false);
  });
});
