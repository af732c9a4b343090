import {expect, test} from '@jest/globals';
import type {ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import {openOpenai} from '../../helpers/model-subjects.js';
import {startOpenaiServer} from '../../helpers/openai-server.js';

const REQUEST: ModelRequest = {
  model: 'llama3',
  system: '',
  messages: [{role: 'user', pieces: [{kind: 'text', text: 'Hello.'}]}],
  tools: [],
  config: {maxOutputTokens: 9},
};

async function find(
  variables: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const {findEndpoint} = await import('#plugins/model-openai/dist/endpoint.js');
  return findEndpoint({
    variable: (name) => Promise.resolve(variables[name]),
    setting: (key) => Promise.resolve(settings[key]),
  });
}

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>, object]>([
  ['nothing said: the Ollama of this machine', {}, {}, {baseUrl: 'http://localhost:11434/v1', headers: {}}],
  ['a key alone is not sent', {OPENAI_API_KEY: 'k'}, {}, {baseUrl: 'http://localhost:11434/v1', headers: {}}],
  [
    'a key and an address',
    {OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://api.example/v1/'},
    {},
    {baseUrl: 'https://api.example/v1', headers: {}, key: 'k'},
  ],
  [
    'a key as an odd file has it',
    {OPENAI_API_KEY: '\uFEFFk\r', OPENAI_BASE_URL: 'http://a/v1\r'},
    {},
    {baseUrl: 'http://a/v1', headers: {}, key: 'k'},
  ],
  [
    'the variable before the setting',
    {OPENAI_BASE_URL: 'http://a/v1'},
    {'openai.baseUrl': 'http://b/v1'},
    {baseUrl: 'http://a/v1', headers: {}},
  ],
  [
    'another variable for the key, and headers',
    {ROUTER: 'r', OPENAI_API_KEY: 'k'},
    {'openai.baseUrl': 'http://b/v1', 'openai.apiKeyVariable': 'ROUTER', 'openai.headers': {'x-team': 'core', bad: 5}},
    {baseUrl: 'http://b/v1', headers: {'x-team': 'core'}, key: 'r'},
  ],
])('%s', async (_, variables, settings, endpoint) => {
  expect(await find(variables, settings)).toEqual({endpoint});
});

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>, object]>([
  [
    'an invalid address',
    {OPENAI_BASE_URL: 'localhost:11434'},
    {},
    {
      kind: 'invalid',
      message: 'OPENAI_BASE_URL is not an address: localhost:11434.',
      hint: 'Set it to an address such as http://localhost:11434/v1.',
    },
  ],
  [
    'an invalid address in the settings',
    {},
    {'openai.baseUrl': 'ftp://x'},
    {
      kind: 'invalid',
      message: 'The setting openai.baseUrl is not an address: ftp://x.',
      hint: 'Set it to an address such as http://localhost:11434/v1.',
    },
  ],
  [
    'a key of two lines',
    {OPENAI_API_KEY: 'one\ntwo', OPENAI_BASE_URL: 'http://a/v1'},
    {},
    {
      kind: 'auth',
      message: 'Cannot send the key in OPENAI_API_KEY: it contains a line break or an invalid character.',
      hint: 'Copy the key again, and set OPENAI_API_KEY to the key alone.',
    },
  ],
  [
    'a key with a letter that no header has',
    {ROUTER: 'kľúč'},
    {'openai.apiKeyVariable': 'ROUTER'},
    {
      kind: 'auth',
      message: 'Cannot send the key in ROUTER: it contains a line break or an invalid character.',
      hint: 'Copy the key again, and set ROUTER to the key alone.',
    },
  ],
  [
    'a header with two lines',
    {},
    {'openai.headers': {'x-a': '1', 'x-b': '1\n2'}},
    {
      kind: 'invalid',
      message: 'Cannot send the header x-b from the setting openai.headers.',
      hint: 'Use letters, digits and - in names, and one line per value.',
    },
  ],
  [
    'a header with an invalid name',
    {},
    {'openai.headers': {'x a': '1'}},
    {
      kind: 'invalid',
      message: 'Cannot send the header x a from the setting openai.headers.',
      hint: 'Use letters, digits and - in names, and one line per value.',
    },
  ],
  [
    'a key that is nowhere',
    {},
    {'openai.baseUrl': 'http://b/v1', 'openai.apiKeyVariable': 'ROUTER'},
    {
      kind: 'auth',
      message: 'There is no key for http://b/v1: ROUTER is not set.',
      hint: 'Set ROUTER, or set openai.apiKeyVariable to the variable with the key.',
    },
  ],
])('%s is said before anybody is asked', async (_, variables, settings, failure) => {
  expect(await find(variables, settings)).toEqual({failure: {...failure, isFinal: true}});
});

test('settings of the person choose the server, those of a project do not [env.keys]', async () => {
  await using other = await startOpenaiServer();
  await using own = await startOpenaiServer({script: [{}]});
  const settings = (url: string): string => JSON.stringify({openai: {baseUrl: `${url}/v1`, headers: {'x-from': url}}});
  await using subject = await openOpenai({
    variables: {OPENAI_BASE_URL: ''},
    files: {'.gemini/settings.json': settings(other.url)},
    homeFiles: {'.gemini/settings.json': settings(own.url)},
  });
  for await (const {kind} of subject.model.stream(REQUEST, AbortSignal.timeout(10_000))) expect(kind).toBe('end');
  const {authorization, 'x-from': from} = own.requests[0]?.headers ?? {};
  expect([own.requests.length, other.requests.length, authorization, from, own.requests[0]?.config]).toEqual([
    1,
    0,
    'Bearer test-key',
    own.url,
    {maxOutputTokens: 9},
  ]);
});

test('a request that has to be answered with a call says so', async () => {
  await using subject = await openOpenai({});
  subject.server.script([{pieces: []}, {pieces: []}]);
  const tools = [{name: 'look', description: 'Looks.', input: {type: 'object'}}];
  for (const request of [
    {...REQUEST, tools, config: {mustCall: true}},
    {...REQUEST, tools},
  ])
    for await (const _ of subject.model.stream(request, AbortSignal.timeout(10_000)));
  const [must, may] = subject.server.requests.map(({body}) => body);
  expect(must).toMatchObject({tool_choice: 'required'});
  expect(may).not.toHaveProperty('tool_choice');
});

test('a level of thinking is asked of models whose settings name it', async () => {
  const models = {thinker: {thoughtLevels: ['low', 'high', 5]}};
  await using subject = await openOpenai({homeFiles: {'.gemini/settings.json': JSON.stringify({openai: {models}})}});
  expect(await subject.model.describe('thinker')).toMatchObject({thoughtLevels: ['low', 'high']});
  subject.server.script([{}]);
  const request = {...REQUEST, model: 'thinker', config: {thoughtLevel: 'high', own: {reasoning_effort: 'low'}}};
  for await (const _ of subject.model.stream(request, AbortSignal.timeout(10_000)));
  expect(subject.server.requests.at(-1)?.body).toMatchObject({reasoning_effort: 'high'});
});

test('models are listed by the server and described by the settings', async () => {
  const models = {llama3: {inputLimit: 8192, images: false, fallback: ['phi3', 5]}};
  await using subject = await openOpenai({homeFiles: {'.gemini/settings.json': JSON.stringify({openai: {models}})}});
  const described = [await subject.model.describe('llama3'), await subject.model.describe('constructor')];
  subject.server.refuseBeside({status: 500, message: 'Oh.'});
  const refused = await subject.model.list();
  subject.server.refuseBeside(undefined);
  expect([described, await subject.model.list(), refused]).toEqual([
    [
      {
        model: 'llama3',
        inputLimit: 8192,
        images: false,
        documents: false,
        thinking: true,
        calls: true,
        fallback: ['phi3'],
      },
      {model: 'constructor', inputLimit: 0, images: true, documents: false, thinking: true, calls: true, fallback: []},
    ],
    {models: [{name: 'llama3', inputLimit: 4096}]},
    {
      models: [],
      failure: {
        kind: 'overloaded',
        message: `The list of models at ${new URL(subject.server.url).host} answered 500: Oh.`,
        status: 500,
      },
    },
  ]);
});

test('a list ends when it is aborted, and an invalid proxy is a failure', async () => {
  await using subject = await openOpenai();
  await using proxied = await openOpenai({variables: {HTTP_PROXY: 'socks5://proxy.example'}});
  const reason = new Error('Enough.');
  await expect(subject.model.list(AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(await proxied.model.list()).toEqual({
    models: [],
    failure: {
      kind: 'network',
      isFinal: true,
      message: 'HTTP_PROXY does not name a usable proxy: socks5 proxies are not supported.',
      hint: 'Set HTTP_PROXY to an address such as http://proxy.example:8080, or unset it.',
    },
  });
});
