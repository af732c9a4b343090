import {afterAll, beforeAll, beforeEach, expect, test} from '@jest/globals';
import type {ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {openOpenai, type ModelSubject} from '../../helpers/model-subjects.js';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import {listModels} from '#plugins/model-openai/dist/list-models.js';

const REQUEST: ModelRequest = {
  model: 'llama3',
  system: '',
  messages: [{role: 'user', pieces: [{kind: 'text', text: 'Hello.'}]}],
  tools: [],
  config: {},
};

let [trap, server]: Server[] = [];
let subject: ModelSubject;
/** What came to the other server, and how the one that was chosen answers. */
const seen: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

async function listen(act: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const made = createServer(act);
  await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
  return made;
}

const hostOf = (one: Server | undefined): string => `127.0.0.1:${(one?.address() as AddressInfo).port}`;

beforeAll(async () => {
  trap = await listen((request, response) => {
    seen.push(JSON.stringify([request.method, request.url, request.headers]));
    response.end('{}');
  });
  server = await listen((request, response) => answer(request, response));
  subject = await openOpenai({
    variables: {OPENAI_BASE_URL: `http://${hostOf(server)}/v1`},
    homeFiles: {'.gemini/settings.json': '{"openai": {"headers": {"x-team": "core"}}}'},
  });
});
beforeEach(() => void seen.splice(0));
afterAll(async () => {
  await subject[Symbol.asyncDispose]();
  for (const one of [trap, server]) {
    one?.closeAllConnections();
    one?.close();
  }
});

/** How a stream and a list fail; the hosts are written HERE and THERE. */
async function hear(): Promise<unknown> {
  const events: unknown[] = [];
  for await (const event of subject.model.stream(REQUEST, AbortSignal.timeout(10_000))) events.push(event);
  const text = JSON.stringify({events, list: await subject.model.list()});
  return JSON.parse(text.replaceAll(hostOf(server), 'HERE').replaceAll(hostOf(trap), 'THERE'));
}

const both = (rest: string, more: object): object => ({
  events: [{kind: 'failed', failure: {kind: 'network', isFinal: true, message: `llama3 at HERE ${rest}`, ...more}}],
  list: {models: [], failure: {kind: 'network', isFinal: true, message: `The list of models at HERE ${rest}`, ...more}},
});

const ELSEWHERE =
  'If the server is there, set it in the setting openai.baseUrl, or OPENAI_BASE_URL; otherwise, a proxy or a network ' +
  'that requires a login may answer like this.';

test.each([301, 302, 303, 307, 308])(
  'the redirect of %d is not followed, and the host is reported [agent.faults]',
  async (status) => {
    answer = (request, response) =>
      response.writeHead(status, {location: `http://${hostOf(trap)}${request.url ?? ''}`}).end();
    expect(await hear()).toEqual(
      both(`answered ${status}: it redirects to THERE. gemini does not follow, because the key would go there too.`, {
        status,
        hint: ELSEWHERE,
      }),
    );
    expect(seen).toEqual([]);
  },
);

test.each([
  ['another path of the same server', () => '/elsewhere?key=secret', 'another path there'],
  ['the same host, but by https', () => `https://${hostOf(server)}/`, 'https://HERE'],
  ['nowhere', () => 'http://[', 'an invalid address'],
])('a request that is sent on to %s is reported as such', async (_, location, target) => {
  answer = (_request, response) => response.writeHead(307, {location: location()}).end();
  expect(await hear()).toEqual(
    both(`answered 307: it redirects to ${target}. gemini does not follow, because the key would go there too.`, {
      status: 307,
      hint: ELSEWHERE,
    }),
  );
});

test('a page in the place of an answer is reported as such', async () => {
  answer = (_, response) =>
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8'}).end('<!doctype html><title>Sign in</title>');
  expect(await hear()).toEqual(
    both('answered with a web page, not like the API.', {
      status: 200,
      hint:
        'Check the setting openai.baseUrl, or OPENAI_BASE_URL: most addresses end in /v1. A login page of a ' +
        'proxy or network also looks like this.',
    }),
  );
});

test('a list that does not come is given up', async () => {
  const limit = new AbortController();
  answer = () => limit.abort();
  const network: Network = {
    fetch,
    prepare: () => Promise.resolve(),
    proxyFor: () => Promise.resolve(undefined),
    tunnel: () => Promise.resolve(undefined),
    explain: () => Promise.reject(new Error('The limit explains itself.')),
  };
  const endpoint = {baseUrl: `http://${hostOf(server)}/v1`, headers: {}};
  expect(await listModels(endpoint, network, undefined, limit.signal)).toEqual({
    models: [],
    failure: {
      kind: 'network',
      message: `The list of models at ${hostOf(server)} did not come within 15 seconds.`,
      hint: 'Check the server, and try again. The setting openai.baseUrl, or OPENAI_BASE_URL, sets the ' + 'server.',
    },
  });
});

test('the key is in no failure of a list [model.key-unsaid]', async () => {
  answer = (_, response) => response.writeHead(403).end('{"error": "The key test-key may not."}');
  expect((await subject.model.list()).failure?.message).toBe(
    `The list of models at ${hostOf(server)} answered 403: The key [key] may not.`,
  );
});
