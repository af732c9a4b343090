import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {createScripted, RawEditor, readSchema, type Json, type Message, type Schema} from './raw-editor.js';
import {start, type Scene} from './scene.js';

/**
 * The requirements of protocol version 1 that the official kit lists (agentclientprotocol/acp-tck), each by its name.
 * The kit itself needs Python 3.14 and packages. Requirements that depend on what an agent offers are those that ours
 * offers.
 */

let scene: Scene;
let schema: Schema;
/** Offers nothing. */
let editor: RawEditor;
let initialized: Json;
let sessionId: string;

beforeAll(async () => {
  [scene, schema] = await Promise.all([createScripted(), readSchema()]);
  editor = new RawEditor(start(scene));
  initialized = (await editor.request('initialize', {protocolVersion: 1, clientCapabilities: {}})).result ?? {};
  sessionId = await editor.session(scene);
});
afterAll(async () => {
  await editor.close();
  await scene[Symbol.asyncDispose]();
});

const STOPS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];
const stopOf = ({result}: Message): unknown => result?.['stopReason'];
const isUpdate = ({method}: Message): boolean => method === 'session/update';
const textOf = (one: Json): unknown => (one['content'] as Json | undefined)?.['text'];
const ask = (method: string, params: Json = {}) => editor.request(method, params);
const sent = (method: string): readonly Message[] => editor.messages.filter((one) => one.method === method);

/** How many messages came so far; those of a list of sessions come in order, so all before it are there. */
async function settle(): Promise<number> {
  await ask('session/list');
  return editor.messages.length;
}

/** A session that has begun to answer and waits. */
async function busy(): Promise<{readonly id: string; readonly answer: Promise<Message>}> {
  const id = await editor.session(scene);
  const answer = editor.prompt(id, 'please wait');
  await editor.seen((one) => one.params?.['sessionId'] === id && JSON.stringify(one).includes('begun'));
  return {id, answer};
}

describe('transport and JSON-RPC [acp.kit]', () => {
  test('ACP-TRANSPORT-001 ACP-TRANSPORT-002: each line of stdout is one message in UTF-8', async () => {
    await editor.prompt(sessionId, 'please read ü');
    const lines = editor.started.output().split('\n').slice(0, -1);
    expect(lines.map((line) => (JSON.parse(line) as Json)['jsonrpc'])).toEqual(lines.map(() => '2.0'));
    expect(editor.started.output()).not.toContain('\uFFFD');
  });

  test.each([7_000_001, 'seven', 0])('ACP-JSONRPC-001: the id %j comes back as it was', async (id) => {
    expect(await editor.request('session/list', {}, id)).toMatchObject({id, result: {}});
  });

  test('ACP-JSONRPC-002: an answer is a result or an error with a code and a message', async () => {
    await ask('session/nothing');
    const answers = editor.messages.filter(({method}) => method === undefined);
    expect(answers.filter((one) => 'result' in one === 'error' in one)).toEqual([]);
    for (const {error} of answers.filter((one) => one.error))
      expect(error).toMatchObject({code: expect.any(Number), message: expect.any(String)});
  });

  test.each([
    ['session/cancel', {sessionId: 'none'}],
    ['_own/notification', {}],
    ['session/nothing', {}],
  ])('ACP-JSONRPC-003: the notification %s has no answer', async (method, params) => {
    const before = editor.messages.length;
    editor.notify(method, params);
    await settle();
    const answers = editor.messages.slice(before).filter((one) => one.method === undefined);
    expect(answers).toMatchObject([{result: {sessions: expect.any(Array)}}]);
  });

  test('ACP-JSONRPC-004: an unknown method is -32601', async () => {
    expect(await ask('session/nothing')).toMatchObject({error: {code: -32601}});
  });

  test('ACP-JSONRPC-005: after an error the connection is of use', async () => {
    expect(await ask('session/new', {cwd: 7})).toHaveProperty('error');
    expect(await ask('session/list')).toHaveProperty('result');
  });

  test('ACP-ERROR-001: the message of an error is one line', async () => {
    await Promise.all([ask('session/nothing'), ask('session/prompt'), ask('session/new', {cwd: 'relative'})]);
    await ask('session/load', {sessionId: 'none', cwd: scene.project, mcpServers: []});
    const errors = editor.messages.flatMap(({error}) => (error ? [error.message] : []));
    expect(errors.length).toBeGreaterThan(3);
    expect(errors.filter((one) => one.trim() === '' || one.includes('\n'))).toEqual([]);
  });

  test.each([
    ['ACP-INFO-PARSE-001: a line that is not JSON is -32700', '{"jsonrpc":\n', -32_700],
    ['ACP-INFO-INVALIDREQ-001: JSON that is no message is -32600', '{"foo": "bar"}\n', -32_600],
  ])('%s', async (_, text, code) => {
    editor.write(text);
    await editor.seen(({error}) => error?.code === code);
    expect(await ask('session/list')).toHaveProperty('result');
  });

  test('ACP-INFO-UNKNOWNSESSION-001: a prompt for an unknown session is -32002', async () => {
    expect(await editor.prompt('none', 'Hi')).toMatchObject({error: {code: -32_002}});
  });
});

describe('initialize and authentication [acp.kit]', () => {
  test('ACP-INIT-001 ACP-INIT-002: version 1 is answered with 1, by the schema', () => {
    expect(schema.faults('InitializeResponse', initialized)).toEqual([]);
    expect(initialized['protocolVersion']).toBe(1);
  });

  test('ACP-INIT-003: a version of the future is answered with the newest that the agent has', async () => {
    const info = {name: 'test', version: '1'};
    const peer = new RawEditor(start(scene));
    const {result} = await peer.request('initialize', {protocolVersion: 65_535, clientInfo: info, info});
    expect(result?.['protocolVersion']).toBe(1);
    await peer.close();
  });

  test('ACP-INIT-004: the agent has a name and a version', () => {
    expect(initialized['agentInfo']).toMatchObject({name: 'gemini', version: expect.stringMatching(/^\d/)});
  });

  test('ACP-AUTH-001: the ids of the ways to log in are unique', () => {
    const ids = (initialized['authMethods'] as readonly Json[]).map(({id}) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('ACP-AUTH-002: no login in a terminal where the editor has none', () => {
    expect(initialized['authMethods']).not.toContainEqual(expect.objectContaining({type: 'terminal'}));
  });

  test('ACP-AUTH-003: after authenticate, a session begins', async () => {
    expect(await ask('authenticate', {methodId: 'gemini-api-key'})).toMatchObject({result: {}});
    expect(await ask('session/new', {cwd: scene.project, mcpServers: []})).toHaveProperty('result');
  });

  test('ACP-AUTH-004: logout is not offered, and is no method', async () => {
    expect(initialized).not.toHaveProperty('agentCapabilities.auth.logout');
    expect(await ask('logout')).toMatchObject({error: {code: -32_601}});
  });

  test('ACP-AUTH-005: a session that needs a login says so where there is one', async () => {
    expect(initialized['authMethods']).not.toEqual([]);
  });
});

describe('sessions [acp.kit]', () => {
  test('ACP-SESSION-001 ACP-SESSION-002: session/new gives an id of its own, by the schema', async () => {
    const params = {cwd: scene.project, mcpServers: []};
    const [one, two] = await Promise.all([ask('session/new', params), ask('session/new', params)]);
    expect(schema.faults('NewSessionResponse', one.result)).toEqual([]);
    expect(one.result?.['sessionId']).toMatch(/./);
    expect(one.result?.['sessionId']).not.toBe(two.result?.['sessionId']);
  });

  test('ACP-ADDDIRS-001: an absolute additional directory is taken', async () => {
    const params = {cwd: scene.project, mcpServers: [], additionalDirectories: [scene.other]};
    expect(await ask('session/new', params)).toHaveProperty('result.sessionId');
  });

  test('ACP-LOAD-001 ACP-LOAD-002 ACP-LOAD-003: session/load replays, then answers with an object', async () => {
    const id = await editor.session(scene);
    await editor.prompt(id, 'Hello');
    await settle();
    const before = editor.updates(id).length;
    const {result} = await ask('session/load', {sessionId: id, cwd: scene.project, mcpServers: []});
    const replayed = editor.updates(id).slice(before);
    expect(schema.faults('LoadSessionResponse', result)).toEqual([]);
    expect(result).toEqual(expect.any(Object));
    expect(replayed.map(textOf)).toEqual(expect.arrayContaining(['Hello', 'Hello there.']));
    await settle();
    // The list of models is not of the past, and comes when the provider has answered.
    const after = editor.updates(id).slice(before + replayed.length);
    expect(after.filter((one) => one['sessionUpdate'] !== 'config_option_update')).toEqual([]);
  });

  test('ACP-RESUME-001 ACP-RESUME-002: session/resume shows nothing of the past', async () => {
    const id = await editor.session(scene);
    await editor.prompt(id, 'Hello');
    await settle();
    const before = editor.updates(id).length;
    const {result} = await ask('session/resume', {sessionId: id, cwd: scene.project});
    expect(schema.faults('ResumeSessionResponse', result)).toEqual([]);
    const kinds = editor
      .updates(id)
      .slice(before)
      .map(({sessionUpdate}) => sessionUpdate);
    expect(kinds.filter((kind) => /_chunk$|^tool_call/.test(String(kind)))).toEqual([]);
  });

  test('ACP-LIST-001: session/list gives sessions, by the schema', async () => {
    const {result} = await ask('session/list');
    expect(schema.faults('ListSessionsResponse', result)).toEqual([]);
    expect(result?.['sessions']).toEqual(expect.any(Array));
  });

  test('ACP-LIST-002: a folder without sessions has an empty list', async () => {
    const cwd = join(scene.project, 'empty');
    await mkdir(cwd);
    expect(await ask('session/list', {cwd})).toMatchObject({result: {sessions: []}});
  });

  test('ACP-DELETE-001: a session of this connection is deleted', async () => {
    const {result} = await ask('session/delete', {sessionId: await editor.session(scene)});
    expect([result, schema.faults('DeleteSessionResponse', result)]).toEqual([{}, []]);
  });

  test('ACP-DELETE-002: deleting a session that never was succeeds', async () => {
    expect(await ask('session/delete', {sessionId: 'never-created'})).toMatchObject({result: {}});
  });

  test('ACP-CLOSE-001: an idle session is closed', async () => {
    const {result} = await ask('session/close', {sessionId: await editor.session(scene)});
    expect([result, schema.faults('CloseSessionResponse', result)]).toEqual([{}, []]);
  });

  test('ACP-CLOSE-002: closing a session cancels its prompt', async () => {
    const {id, answer} = await busy();
    expect(await ask('session/close', {sessionId: id})).toHaveProperty('result');
    expect(stopOf(await answer)).toBe('cancelled');
  });
});

describe('prompts [acp.kit]', () => {
  test('ACP-PROMPT-001 ACP-PROMPT-002: a prompt ends with a reason, and its updates fit the schema', async () => {
    const id = await editor.session(scene);
    expect(STOPS).toContain(stopOf(await editor.prompt(id, 'Hello')));
    const notes = editor.messages.filter((one) => isUpdate(one) && one.params?.['sessionId'] === id);
    expect(notes.length).toBeGreaterThan(1);
    expect(notes.flatMap(({params}) => schema.faults('SessionNotification', params))).toEqual([]);
  });

  test.each([
    ['ACP-PROMPT-003: a link', {type: 'resource_link', name: 'a.txt', uri: 'file:///missing/a.txt'}],
    ['ACP-PROMPTCAP-001: a picture', {type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo='}],
    ['ACP-PROMPTCAP-002: a recording', {type: 'audio', mimeType: 'audio/wav', data: 'UklGRg=='}],
    ['ACP-PROMPTCAP-003: a text', {type: 'resource', resource: {uri: 'file:///a.txt', text: 'alpha'}}],
    ['ACP-PROMPTCAP-003: bytes', {type: 'resource', resource: {uri: 'file:///a.pdf', blob: 'JVBERi0='}}],
  ])('%s in a prompt is taken', async (_, block) => {
    expect(stopOf(await editor.prompt(sessionId, 'Look', block))).toBe('end_turn');
  });

  test('ACP-META-001: a prompt may have _meta', async () => {
    const params = {sessionId, prompt: [{type: 'text', text: 'Hi'}], _meta: {traceparent: '00-0-0-01'}};
    expect(stopOf(await ask('session/prompt', params))).toBe('end_turn');
  });

  test('ACP-CANCEL-001 ACP-CANCEL-002: a cancelled prompt ends as cancelled, and no update follows', async () => {
    const {id, answer} = await busy();
    editor.notify('session/cancel', {sessionId: id});
    expect(stopOf(await answer)).toBe('cancelled');
    const before = editor.updates(id).length;
    await settle();
    expect(editor.updates(id).slice(before)).toEqual([]);
  });

  test('ACP-CLIENTCAP-001 ACP-CLIENTCAP-002 ACP-CLIENTCAP-003: what the editor does not offer is not asked', async () => {
    const id = await editor.session(scene);
    for (const text of ['please read', 'please write', 'please run', 'please ask']) await editor.prompt(id, text);
    const asked = editor.messages.flatMap((one) => (one.method && one.id !== undefined ? [one.method] : []));
    expect(new Set(asked)).toEqual(new Set(['session/request_permission']));
  });
});

describe('modes and options [acp.kit]', () => {
  let opened: Json;
  beforeAll(async () => {
    opened = (await ask('session/new', {cwd: scene.project, mcpServers: []})).result ?? {};
  });
  const optionsOf = ({configOptions}: Json) => configOptions as readonly Json[];

  test('ACP-MODES-001: the current mode is one of those that there are', () => {
    const {currentModeId, availableModes} = opened['modes'] as {currentModeId: string; availableModes: readonly Json[]};
    expect(schema.faults('SessionModeState', opened['modes'])).toEqual([]);
    expect(availableModes.map(({id}) => id)).toContain(currentModeId);
  });

  test('ACP-MODES-002: another mode is set, and the update names it', async () => {
    const id = String(opened['sessionId']);
    expect(await ask('session/set_mode', {sessionId: id, modeId: 'plan'})).toHaveProperty('result');
    await editor.seen((one) => one.params?.['sessionId'] === id && JSON.stringify(one).includes('current_mode_update'));
    expect(editor.updates(id, 'current_mode_update')).toMatchObject([{currentModeId: 'plan'}]);
  });

  test('ACP-CONFIG-001: the value of each option is one of its values', () => {
    expect(optionsOf(opened).flatMap((one) => schema.faults('SessionConfigOption', one))).toEqual([]);
    for (const {options, currentValue} of optionsOf(opened))
      expect((options as readonly Json[]).map(({value}) => value)).toContain(currentValue);
  });

  test('ACP-CONFIG-002: setting an option gives all of them', async () => {
    const params = {sessionId: opened['sessionId'], configId: 'mode', value: 'auto_edit'};
    const {result = {}} = await ask('session/set_config_option', params);
    expect(optionsOf(result).map(({id}) => id)).toEqual(optionsOf(opened).map(({id}) => id));
    expect(optionsOf(result).find(({id}) => id === 'mode')).toMatchObject({currentValue: 'auto_edit'});
  });

  test('ACP-CONFIG-003: no option is a boolean where the editor does not know them', () => {
    expect(optionsOf(opened).filter(({type}) => type === 'boolean')).toEqual([]);
  });
});

describe('all messages [acp.kit]', () => {
  test('ACP-EXT-001: a request of another protocol has an answer', async () => {
    expect(await ask('_own/method')).toMatchObject({error: {code: -32_601}});
  });

  test('ACP-SCHEMA-001 ACP-SCHEMA-002: all that the agent sends fits the schema, and has no fields of its own', () => {
    const notes = sent('session/update').map(({params}) => params);
    const faults = [
      ...notes.flatMap((one) => schema.strangers('SessionNotification', one)),
      ...notes.flatMap((one) => schema.strangers('SessionUpdate', one?.['update'])),
      ...sent('session/request_permission').flatMap(({params}) => schema.strangers('RequestPermissionRequest', params)),
      ...schema.strangers('InitializeResponse', initialized),
      ...editor.messages.flatMap(({result}) =>
        result?.['stopReason'] ? schema.strangers('PromptResponse', result) : [],
      ),
    ];
    expect(notes.length).toBeGreaterThan(50);
    expect([...new Set(faults)]).toEqual([]);
  });

  test('ACP-SHUTDOWN-001 ACP-STDERR-001: the program leaves with its input, and did not say much', async () => {
    expect(await editor.started.end()).toBe(0);
    expect(editor.started.log().length).toBeLessThan(10_000);
  });
});
