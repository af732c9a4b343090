import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import {checkout} from '../../helpers/plugin-root.js';
import type {ScriptedServer} from '../../helpers/scripted-server.js';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startGeminiServer({script: () => ({pieces: [{kind: 'text', text: 'Yes.'}]})});
});
afterAll(() => server.close());

const post = (url: string, body: object | string): Promise<Response> =>
  fetch(`${url}/v1beta/models/m:generateContent`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const user = (...parts: readonly object[]): object => ({role: 'user', parts});
const model = (...parts: readonly object[]): object => ({role: 'model', parts});
const text = {text: 'Hello.'};
const call = (id: string, name = 'look'): object => ({functionCall: {id, name, args: {}}});
const result = (id: string, name = 'look', response: unknown = {output: 'x'}): object => ({
  functionResponse: {id, name, response},
});
const tool = (more: object): object => ({
  contents: [user(text)],
  tools: [{functionDeclarations: [{name: 'look', description: 'Looks.', ...more}]}],
});

test.each<[string, object | string]>([
  ['The body is not a JSON object.', 'x'],
  ['The request has an unknown key system.', {contents: [user(text)], system: 'x'}],
  ['There are no contents.', {contents: []}],
  ['contents[0] is of model, but it is the turn of user.', {contents: [model(text)]}],
  ['contents[1] is of user, but it is the turn of model.', {contents: [user(text), user(text)]}],
  ['contents[0] has no parts.', {contents: [user()]}],
  ['contents[0].parts[0] is nothing.', {contents: [user({})]}],
  ['contents[0].parts[0] is text and functionCall.', {contents: [user({...text, ...call('a')})]}],
  ['contents[0].parts[0] is empty.', {contents: [user({text: ''})]}],
  ['contents[0].parts[0] is a call, but not of the model.', {contents: [user(call('a'))]}],
  [
    'contents[1].parts[0] is the result of a call, but not of the user.',
    {contents: [user(text), model(result('a')), user(text)]},
  ],
  [
    'contents[0].parts[0] is data without a type, or not base64.',
    {contents: [user({inlineData: {mimeType: 'image/png', data: '%'}})]},
  ],
  ['contents[2] has 0 results for 1 calls.', {contents: [user(text), model(call('a')), user(text)]}],
  [
    'contents[2] has 2 results for 1 calls.',
    {contents: [user(text), model(call('a')), user(result('a'), result('a'))]},
  ],
  ['contents[0] has 1 results for 0 calls.', {contents: [user(result('a'))]}],
  [
    'contents[2] has a result look (b) that answers no call of the message before.',
    {contents: [user(text), model(call('a')), user(result('b'))]},
  ],
  [
    'contents[2] has a result see (a) that answers no call of the message before.',
    {contents: [user(text), model(call('a')), user(result('a', 'see'))]},
  ],
  [
    'contents[2].parts[0] is a result whose response is not an object.',
    {contents: [user(text), model(call('a')), user(result('a', 'look', 'x'))]},
  ],
  [
    'contents[1] has two calls with the same id.',
    {contents: [user(text), model(call('a'), call('a')), user(result('a'), result('a'))]},
  ],
  ['The last content is not of user.', {contents: [user(text), model(text)]}],
  ['The system instruction is empty.', {contents: [user(text)], systemInstruction: {parts: [{text: ''}]}}],
  ['A tool may not be named "1 look".', tool({name: '1 look'})],
  ['The tool look has no description.', tool({description: ''})],
  [
    'The schema of the tool look is invalid: data/type must be equal to one of the allowed values, data/type must be ' +
      'array, data/type must match a schema in anyOf',
    tool({parametersJsonSchema: {type: 'strng'}}),
  ],
  [
    'A schema of the answer needs the type application/json.',
    {contents: [user(text)], generationConfig: {responseJsonSchema: {type: 'object'}}},
  ],
])('the scripted server refuses a request with: %s', async (fault, body) => {
  const response = await post(server.url, body);
  const {error} = (await response.json()) as {error: {message: string}};
  expect([response.status, error.message, server.faults.at(-1), server.requests.at(-1)?.fault]).toEqual([
    400,
    fault,
    fault,
    fault,
  ]);
});

test('it takes a conversation with calls, results and media, and answers without a stream too', async () => {
  await using fresh = await startGeminiServer({
    script: [{pieces: [{kind: 'text', text: 'Yes.'}], usage: {input: 3, output: 1}}],
  });
  const contents = [
    user(text),
    model(text, call('a'), call('b')),
    user(result('b'), result('a'), {inlineData: {mimeType: 'image/png', data: 'aGk='}}),
  ];
  expect(await (await post(fresh.url, {contents})).json()).toEqual({
    candidates: [{content: {parts: [{text: 'Yes.'}], role: 'model'}, finishReason: 'STOP', index: 0}],
    usageMetadata: {promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4},
    modelVersion: 'm',
  });
  expect([(await post(fresh.url, {contents})).status, fresh.faults]).toEqual([
    500,
    ['The script has no answer to request 2.'],
  ]);
});

test('it runs as a process of its own, says where, tells what it saw, and ends with its input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-gemini-'));
  await writeFile(join(folder, 'script.json'), JSON.stringify([{pieces: [{kind: 'text', text: 'Yes.'}]}]));
  const child = spawn(
    process.execPath,
    [join(checkout, 'test', 'dist', 'helpers', 'serve-gemini.js'), join(folder, 'script.json')],
    {stdio: ['pipe', 'pipe', 'inherit']},
  );
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const {url, port} = JSON.parse(line.toString()) as {url: string; port: number};
    const status = [
      (await post(url, {contents: [user(text)]})).status,
      (await post(url, {contents: [user(text)]})).status,
    ];
    child.stdin.write('\n');
    const [report] = (await once(child.stdout, 'data')) as [Buffer];
    child.stdin.end();
    const [code] = (await once(child, 'close')) as [number];
    expect([url, status, JSON.parse(report.toString()), code]).toEqual([
      `http://127.0.0.1:${port}`,
      [200, 500],
      {requests: [{contents: [user(text)]}, {contents: [user(text)]}], faults: []},
      0,
    ]);
  } finally {
    child.kill();
    await rm(folder, {recursive: true});
  }
});
