import {isAbsolute, join} from 'node:path';
import {writeFileSync} from 'node:fs';
import {readFile, rm} from 'node:fs/promises';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {createScripted, RawEditor, type Json} from './raw-editor.js';
import type {Scene} from './scene.js';

/**
 * What the pages of protocol version 1 demand of agents beside the list of the kit (see kit.test.ts), each by its page.
 * Files and terminals of the editor, and forms, are in buffers.test.ts, terminals.test.ts and calls.test.ts too.
 */

let scene: Scene;
/** Offers all that the protocol knows. */
let editor: RawEditor;
let asked: {readonly method: string; readonly params: Json}[] = [];
let formed: Json = {action: 'cancel'};
/** The files that the editor has open. */
const open = new Map<string, string>();

beforeAll(async () => {
  scene = await createScripted({'project/.gemini/commands/greet.toml': 'prompt = "Greet {{args}}"'});
  open.set(join(scene.project, 'a.txt'), 'unsaved\n');
  editor = await RawEditor.open(scene, {
    fs: {readTextFile: true, writeTextFile: true},
    terminal: true,
    elicitation: {form: {}},
    session: {notices: {}, compaction: {}, configOptions: {boolean: {}}},
    _meta: {terminal_output: true},
  });
  const {answer} = editor;
  editor.answer = (method, params) => {
    asked.push({method, params});
    const path = String(params['path']);
    if (method === 'fs/read_text_file') {
      const content = open.get(path);
      return content === undefined ? undefined : {content};
    }
    if (method === 'fs/write_text_file') {
      open.set(path, String(params['content']));
      writeFileSync(path, String(params['content']));
      return {};
    }
    return method === 'elicitation/create' ? formed : answer(method, params);
  };
});
afterAll(async () => {
  await editor.close();
  await scene[Symbol.asyncDispose]();
});

const ask = (method: string, params: Json) => editor.request(method, params);
const requests = (method: string) => asked.filter((one) => one.method === method).map(({params}) => params);
const lastSent = (): string => JSON.stringify(scene.model.requests.at(-1)?.messages);

/** One prompt in a new session: its id, and the updates of its calls. */
async function run(text: string, params: Json = {}) {
  asked = [];
  const id = await editor.session(scene, params);
  await editor.prompt(id, text);
  const calls = [...editor.updates(id, 'tool_call'), ...editor.updates(id, 'tool_call_update')];
  return {id, calls};
}

async function removeMade(): Promise<void> {
  const path = join(scene.project, 'new.txt');
  open.delete(path);
  await rm(path, {force: true});
}

/** The values of all fields that are paths. */
function pathsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'rawInput' || key === 'rawOutput' ? [] : key === 'path' || key === 'cwd' ? [String(one)] : pathsIn(one),
  );
}

describe('session setup [acp.kit]', () => {
  test.each([
    ['cwd', {cwd: 'project'}],
    ['each of additionalDirectories', {additionalDirectories: ['other']}],
  ])('session-setup: %s must be absolute', async (_, params) => {
    const request = {cwd: scene.project, mcpServers: [], ...params};
    expect(await ask('session/new', request)).toMatchObject({error: {code: -32_602}});
  });

  test('session-setup: cwd counts wherever the program was started, and paths are relative to it', async () => {
    const {calls} = await run('please run', {cwd: scene.other});
    expect(JSON.stringify(calls)).toContain(scene.other);
    expect(JSON.stringify(calls.at(-1)?.['rawOutput'])).toContain(scene.other);
  });

  test('session-setup: the roots are cwd and the additional directories, and a boundary', async () => {
    const inside = await run('please read b', {additionalDirectories: [scene.other]});
    expect(inside.calls.at(-1)).toMatchObject({status: 'completed'});
    const outside = await run('please read b');
    expect(outside.calls.at(-1)).toMatchObject({status: 'failed'});
  });

  test('session-setup: session/load and session/resume know what was said', async () => {
    const {id} = await run('Remember seven');
    for (const method of ['session/load', 'session/resume']) {
      await ask(method, {sessionId: id, cwd: scene.project, mcpServers: []});
      await editor.prompt(id, `More by ${method}`);
      expect(lastSent()).toContain('Remember seven');
    }
  });

  test('session-setup: session/load replays prompts, answers and calls, in their order', async () => {
    const {id} = await run('please read it');
    const before = editor.updates(id).length;
    await ask('session/load', {sessionId: id, cwd: scene.project, mcpServers: []});
    const kinds = editor
      .updates(id)
      .slice(before)
      .map(({sessionUpdate}) => sessionUpdate);
    expect(kinds.slice(0, 4)).toEqual(['user_message_chunk', 'tool_call', 'tool_call_update', 'agent_message_chunk']);
  });

  test.each(['session/load', 'session/resume'])('session-setup: %s refuses an unknown session', async (method) => {
    const params = {sessionId: 'none', cwd: scene.project, mcpServers: []};
    expect(await ask(method, params)).toMatchObject({error: {code: -32_002}});
  });

  test('session-setup: a closed session takes no prompt, and can be resumed', async () => {
    const {id} = await run('Hello');
    await ask('session/close', {sessionId: id});
    expect(await editor.prompt(id, 'More')).toMatchObject({error: {code: -32_002}});
    expect(await ask('session/resume', {sessionId: id, cwd: scene.project})).toHaveProperty('result');
  });
});

describe('session list and delete [acp.kit]', () => {
  const list = async () => (await ask('session/list', {cwd: scene.project})).result?.['sessions'] as readonly Json[];

  test('session-list: a session has its id, folder, title and time', async () => {
    const {id} = await run('Name the colours');
    const updatedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await list()).toContainEqual({sessionId: id, cwd: scene.project, title: 'Name the colours', updatedAt});
  });

  test.each([
    ['an invalid cursor', {cursor: 'next please'}],
    ['a relative cwd', {cwd: 'project'}],
  ])('session-list: %s is an error', async (_, params) => {
    expect(await ask('session/list', params)).toMatchObject({error: {code: -32_602}});
  });

  test('session-delete: a deleted session is not listed, and deleting it again succeeds', async () => {
    const {id} = await run('Hello');
    expect((await list()).map(({sessionId}) => sessionId)).toContain(id);
    expect(await ask('session/delete', {sessionId: id})).toMatchObject({result: {}});
    expect((await list()).map(({sessionId}) => sessionId)).not.toContain(id);
    expect(await ask('session/delete', {sessionId: id})).toMatchObject({result: {}});
  });
});

describe('prompt turn [acp.kit]', () => {
  test('prompt-turn: chunks of one message have one id, and the next message another', async () => {
    const {id} = await run('Hello');
    await editor.prompt(id, 'Hello');
    const ids = editor.updates(id, 'agent_message_chunk').map(({messageId}) => messageId);
    expect([ids.length, new Set(ids).size, ids[0] === ids[1]]).toEqual([4, 2, true]);
  });

  test('prompt-turn: the updates of a prompt come before its answer', async () => {
    const id = await editor.session(scene);
    const answer = await editor.prompt(id, 'Hello');
    const at = editor.messages.indexOf(answer);
    await ask('session/list', {});
    const late = editor.messages.slice(at).filter(({params}) => params?.['sessionId'] === id);
    expect(late).toEqual([]);
  });

  test('prompt-turn: the use of tokens is reported', async () => {
    const {id} = await run('Hello');
    const [usage] = editor.updates(id, 'usage_update');
    expect(usage).toMatchObject({used: expect.any(Number), size: expect.any(Number)});
  });

  test('content: a block of another kind is refused', async () => {
    const id = await editor.session(scene);
    expect(await ask('session/prompt', {sessionId: id, prompt: [{type: 'video'}]})).toMatchObject({
      error: {code: -32_602},
    });
  });

  test('cancellation: $/cancel_request ends a prompt as cancelled', async () => {
    const id = await editor.session(scene);
    const params = {sessionId: id, prompt: [{type: 'text', text: 'please wait'}]};
    const answer = editor.request('session/prompt', params, 'cancel-me');
    await editor.seen((one) => one.params?.['sessionId'] === id && JSON.stringify(one).includes('begun'));
    editor.notify('$/cancel_request', {requestId: 'cancel-me'});
    expect(await answer).toMatchObject({result: {stopReason: 'cancelled'}});
  });

  test('cancellation: of a request that there is not, nothing comes', async () => {
    const before = editor.messages.length;
    editor.notify('$/cancel_request', {requestId: 'none'});
    await ask('session/list', {});
    expect(editor.messages.slice(before).filter(({error}) => error)).toEqual([]);
  });
});

describe('tool calls [acp.kit]', () => {
  test('tool-calls: a call is pending, in progress and completed, under one id', async () => {
    const {calls} = await run('please read');
    expect(calls.map(({status}) => status)).toEqual(['pending', 'in_progress', 'completed']);
    expect(new Set(calls.map(({toolCallId}) => toolCallId)).size).toBe(1);
    expect(calls[0]).toMatchObject({kind: 'read', rawInput: {file_path: 'a.txt'}, title: expect.any(String)});
  });

  test('tool-calls: a call that fails is failed, with its reason', async () => {
    const {calls} = await run('please fail');
    expect(calls.at(-1)).toMatchObject({status: 'failed', content: [{type: 'content'}]});
  });

  test('tool-calls: a permission names the announced call, and its options have ids, names and kinds', async () => {
    const {id, calls} = await run('please run');
    const [question] = requests('session/request_permission');
    expect(question).toMatchObject({sessionId: id, toolCall: {toolCallId: calls[0]?.['toolCallId']}});
    for (const option of question?.['options'] as readonly Json[])
      expect(option).toMatchObject({
        ...{optionId: expect.stringMatching(/./), name: expect.stringMatching(/./)},
        kind: expect.stringMatching(/^(?:allow|reject)_(?:once|always)$/),
      });
  });

  test('tool-calls overview: all paths are absolute, and lines count from 1', async () => {
    const {calls} = await run('please write');
    const paths = [...pathsIn(calls), ...pathsIn(asked)];
    expect(paths.length).toBeGreaterThan(2);
    expect(paths.filter((path) => !isAbsolute(path))).toEqual([]);
    expect(requests('fs/read_text_file').filter(({line}) => Number(line ?? 1) < 1)).toEqual([]);
  });

  test('tool-calls: an edit shows its diff', async () => {
    await removeMade();
    const {calls} = await run('please write');
    expect(calls.at(-1)).toMatchObject({content: [{type: 'diff', newText: 'made\n'}]});
  });
});

describe('what the editor offers [acp.kit]', () => {
  test('file-system: files are read through the editor', async () => {
    await run('please read');
    // Sessions of one folder share what is open there, so the id may be that of another one.
    expect(requests('fs/read_text_file')).toContainEqual({
      ...{sessionId: expect.stringMatching(/./), path: join(scene.project, 'a.txt')},
    });
    expect(lastSent()).toContain('unsaved');
  });

  test('file-system: with the methods of the editor, the editor writes the disk', async () => {
    await removeMade();
    await run('please write');
    expect(requests('fs/write_text_file')).toMatchObject([{path: join(scene.project, 'new.txt'), content: 'made\n'}]);
    expect(await readFile(join(scene.project, 'new.txt'), 'utf8')).toBe('made\n');
  });

  test('terminals: no command runs in the editor, so none is left to release there', async () => {
    const {calls} = await run('please run');
    expect(asked.filter(({method}) => method.startsWith('terminal/'))).toEqual([]);
    expect(calls.at(-1)).toMatchObject({_meta: {terminal_exit: {exit_code: 0}}});
  });

  test.each([
    ['accepted', {action: 'accept', content: {}}],
    ['declined', {action: 'decline'}],
    ['cancelled', {action: 'cancel'}],
    ['answered with nonsense', {action: 'explode'}],
  ])('elicitation: a form of the session that is %s lets the turn end', async (_, reply) => {
    formed = reply;
    const {id} = await run('please ask');
    expect(requests('elicitation/create')).toMatchObject([{mode: 'form', sessionId: id}]);
    expect(editor.updates(id, 'agent_message_chunk')).not.toEqual([]);
  });
});

describe('plans, commands, modes and options [acp.kit]', () => {
  test('agent-plan: each update has all entries, with content, priority and status', async () => {
    const {id} = await run('please plan');
    expect(editor.updates(id, 'plan').at(-1)).toEqual({
      sessionUpdate: 'plan',
      entries: [
        {content: 'look', priority: 'medium', status: 'in_progress'},
        {content: 'cut', priority: 'medium', status: 'pending'},
      ],
    });
  });

  test('slash-commands: they are listed after session/new, and run as a prompt', async () => {
    const {id} = await run('/greet Ada');
    const [listed] = editor.updates(id, 'available_commands_update');
    expect(listed?.['availableCommands']).toContainEqual(expect.objectContaining({name: 'greet'}));
    expect(lastSent()).toContain('Greet Ada');
  });

  test('session-modes: an unknown mode is an error, and the mode stays', async () => {
    const id = await editor.session(scene);
    expect(await ask('session/set_mode', {sessionId: id, modeId: 'fast'})).toMatchObject({error: {code: -32_602}});
    expect(editor.updates(id, 'current_mode_update')).toEqual([]);
  });

  test('session-config-options: modes and the option of the mode say the same', async () => {
    const id = await editor.session(scene);
    await ask('session/set_mode', {sessionId: id, modeId: 'plan'});
    const isLate = (one: Json): boolean => JSON.stringify(one).includes('"currentValue":"plan"');
    await editor.seen(({params}) => params?.['sessionId'] === id && isLate(params));
    expect(editor.updates(id, 'config_option_update').filter(isLate)).not.toEqual([]);
  });

  test.each([
    ['an unknown option', {configId: 'colour', value: 'red'}],
    ['a value that it does not have', {configId: 'mode', value: 'fast'}],
  ])('session-config-options: %s is an error', async (_, params) => {
    const id = await editor.session(scene);
    expect(await ask('session/set_config_option', {sessionId: id, ...params})).toMatchObject({error: {code: -32_602}});
  });

  test('extensibility: fields of _meta that mean nothing to the agent change nothing', async () => {
    const params = {cwd: scene.project, mcpServers: [], _meta: {'example.com/x': {deep: [1]}}};
    expect(await ask('session/new', params)).toHaveProperty('result.sessionId');
  });
});
