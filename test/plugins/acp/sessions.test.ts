import {mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {runGemini} from '../../helpers/run-gemini.js';
import {call, connect, createScene, say, type Connected, type Scene} from './scene.js';

/** What a replay shows, in short. */
const short = (updates: readonly SessionUpdate[]): readonly string[] =>
  updates.flatMap((one) => {
    if (one.sessionUpdate === 'tool_call') return [`call ${one.name ?? ''}`];
    if (one.sessionUpdate === 'tool_call_update') return [`${one.status ?? ''}`];
    if (!('content' in one) || !one.content || Array.isArray(one.content) || one.content.type !== 'text') return [];
    return [`${one.sessionUpdate.split('_')[0] ?? ''} ${one.content.text}`];
  });

const list = async (editor: Connected, cwd?: string): Promise<readonly string[]> =>
  (await editor.agent.request('session/list', cwd === undefined ? {} : {cwd})).sessions.map(({sessionId}) => sessionId);

/** A recorded conversation of one prompt, and its id. */
async function record(scene: Scene, prompt = 'remember this'): Promise<string> {
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([call('r', 'read_file', {file_path: 'a.txt'}), say('I will.')]);
  await editor.prompt(sessionId, prompt);
  return sessionId;
}

/** What session/new refuses. */
const refused: readonly {
  readonly title: string;
  readonly request: (scene: Scene) => Record<string, unknown>;
  readonly message: RegExp;
}[] = [
  {title: 'a relative cwd', request: () => ({cwd: 'project'}), message: /cwd must be an absolute path, not "project"/},
  {title: 'an empty cwd', request: () => ({cwd: ''}), message: /cwd must be an absolute path/},
  {title: 'a cwd that is missing', request: () => ({cwd: '/does/not/exist'}), message: /it does not exist/},
  {title: 'a cwd with a zero byte', request: () => ({cwd: '/tmp/a\u0000b'}), message: /cwd cannot be/},
  {
    title: 'a cwd that is a file',
    request: ({project}) => ({cwd: join(project, 'a.txt')}),
    message: /must be a directory/,
  },
  {
    title: 'a relative additional directory',
    request: () => ({additionalDirectories: ['../other']}),
    message: /additionalDirectories must be an absolute path/,
  },
  {
    title: 'two servers with one name',
    request: () => ({mcpServers: [1, 2].map(() => ({name: 'twin', command: '/bin/true', args: [], env: []}))}),
    message: /two servers with the name "twin"/,
  },
  {
    title: 'a server without a name',
    request: () => ({mcpServers: [{name: ' ', command: '/bin/true', args: [], env: []}]}),
    message: /a server with the name " "/,
  },
  {
    title: 'more servers than count',
    request: () => ({
      mcpServers: Array.from({length: 65}, (_, at) => ({name: `s${at}`, command: '/bin/true', args: [], env: []})),
    }),
    message: /65 servers/,
  },
];

test.each(refused)('session/new refuses $title ACP_REQUEST_INVALID [acp.sessions]', async ({request, message}) => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const open = editor.open(request(scene));
  await expect(open).rejects.toMatchObject({code: -32602, data: {code: 'ACP_REQUEST_INVALID'}});
  await expect(open).rejects.toMatchObject({message: expect.stringMatching(message)});
});

test('additional directories are folders of the session [acp.folders]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const one = await editor.open({additionalDirectories: [scene.other]});
  const two = await editor.open();
  const read = call('r', 'read_file', {file_path: join(scene.other, 'b.txt')});
  scene.model.script([read, say('ok'), read, say('ok')]);
  await editor.prompt(one.sessionId, 'go');
  expect(short(editor.updates(one.sessionId))).toContain('completed');
  await editor.prompt(two.sessionId, 'go');
  expect(short(editor.updates(two.sessionId))).toContain('failed');
});

test('sessions in several folders run at once, each with its own updates [acp.many] [acp.folders]', async () => {
  await using scene = await createScene();
  const count = 10;
  const folders = Array.from({length: count}, (_, at) => join(scene.project, '..', `folder-${at}`));
  for (const [at, folder] of folders.entries()) {
    await mkdir(folder);
    await writeFile(join(folder, 'own.txt'), `own ${at}`);
  }
  await using editor = await connect(scene);
  const sessions = await Promise.all(folders.map((cwd) => editor.open({cwd})));
  expect(new Set(sessions.map(({sessionId}) => sessionId)).size).toBe(count);
  scene.model.script(({messages}) =>
    JSON.stringify(messages).includes('own.txt') && JSON.stringify(messages).includes('own ')
      ? say(/own \d/.exec(JSON.stringify(messages))?.[0] ?? 'nothing')
      : call('r', 'read_file', {file_path: 'own.txt'}),
  );
  const ends = await Promise.all(sessions.map(({sessionId}) => editor.prompt(sessionId, 'read own.txt')));
  expect(ends.map(({stopReason}) => stopReason)).toEqual(folders.map(() => 'end_turn'));
  expect(sessions.map(({sessionId}) => editor.text(sessionId))).toEqual(folders.map((_, at) => `own ${at}`));
});

test('load shows what was said, and the model knows it [acp.load]', async () => {
  await using scene = await createScene();
  const sessionId = await record(scene);
  await using editor = await connect(scene);
  const loaded = await editor.agent.request('session/load', {sessionId, cwd: scene.project, mcpServers: []});
  expect(loaded).toMatchObject({modes: {currentModeId: 'default'}});
  expect(short(editor.updates(sessionId))).toEqual([
    'user remember this',
    'call read_file',
    'completed',
    'agent I will.',
  ]);
  scene.model.script([say('You said so.')]);
  await editor.prompt(sessionId, 'what did I say?');
  expect(JSON.stringify(scene.model.requests.at(-1)?.messages)).toContain('remember this');
});

test('resume shows nothing, and the model knows it all the same [acp.load]', async () => {
  await using scene = await createScene();
  const sessionId = await record(scene);
  await using editor = await connect(scene);
  await editor.agent.request('session/resume', {sessionId, cwd: scene.project});
  expect(short(editor.updates(sessionId))).toEqual([]);
  scene.model.script([say('You said so.')]);
  await editor.prompt(sessionId, 'what did I say?');
  expect(JSON.stringify(scene.model.requests.at(-1)?.messages)).toContain('remember this');
});

test('loading a session again and again within a minute loses nothing [acp.kept]', async () => {
  await using scene = await createScene();
  const sessionId = await record(scene);
  for (const round of [1, 2, 3]) {
    await using editor = await connect(scene);
    await editor.agent.request('session/load', {sessionId, cwd: scene.project, mcpServers: []});
    await editor.agent.request('session/load', {sessionId, cwd: scene.project, mcpServers: []});
    scene.model.script([say(`answer ${round}`)]);
    await editor.prompt(sessionId, `round ${round}`);
  }
  await using editor = await connect(scene);
  await editor.agent.request('session/load', {sessionId, cwd: scene.project, mcpServers: []});
  expect(short(editor.updates(sessionId)).filter((line) => !line.startsWith('call') && line !== 'completed')).toEqual([
    ...['user remember this', 'agent I will.'],
    ...[1, 2, 3].flatMap((round) => [`user round ${round}`, `agent answer ${round}`]),
  ]);
  expect(await list(editor, scene.project)).toEqual([sessionId]);
  const chats = join(scene.home, '.gemini', 'tmp');
  const files = (await readdir(chats, {recursive: true})).filter(
    (name) => name.endsWith('.jsonl') && /session-/.test(name),
  );
  expect(files).toHaveLength(1);
});

test.each(['session/load', 'session/resume'] as const)(
  '%s refuses an id that is not recorded there [acp.load] [acp.hostile]',
  async (method) => {
    await using scene = await createScene();
    const sessionId = await record(scene);
    await using editor = await connect(scene);
    const open = (id: string, cwd: string) => editor.agent.request(method, {sessionId: id, cwd, mcpServers: []});
    const missing = {code: -32002, data: {code: 'ACP_SESSION_UNKNOWN'}};
    await expect(open('nothing', scene.project)).rejects.toMatchObject(missing);
    await expect(open('../../../etc/passwd', scene.project)).rejects.toMatchObject(missing);
    await expect(open('', scene.project)).rejects.toMatchObject(missing);
    await expect(open(sessionId, scene.other)).rejects.toMatchObject(missing);
    // Numbers and names of the command line are no ids.
    await expect(open('1', scene.project)).rejects.toMatchObject(missing);
    await expect(open('latest', scene.project)).rejects.toMatchObject(missing);
  },
);

test('a session that another program records is refused with the reason [acp.load]', async () => {
  await using scene = await createScene();
  const sessionId = await record(scene);
  await using one = await connect(scene);
  await using two = await connect(scene);
  await one.agent.request('session/load', {sessionId, cwd: scene.project, mcpServers: []});
  const second = two.agent.request('session/load', {sessionId, cwd: scene.project, mcpServers: []});
  await expect(second).rejects.toMatchObject({code: -32603, data: {code: 'SESSION_IN_USE'}});
});

test('list shows recorded sessions with title and time, the newest first [acp.list]', async () => {
  await using scene = await createScene();
  const first = await record(scene, 'the first');
  const second = await record(scene, 'the second');
  await using editor = await connect(scene);
  const {sessions, nextCursor} = await editor.agent.request('session/list', {cwd: scene.project});
  expect(nextCursor ?? undefined).toBeUndefined();
  expect(sessions).toEqual(
    [
      [second, 'the second'],
      [first, 'the first'],
    ].map(([sessionId, title]) => ({
      sessionId,
      title,
      cwd: scene.project,
      updatedAt: expect.stringMatching(/^\d{4}-/),
    })),
  );
  expect(await list(editor, scene.other)).toEqual([]);
  expect(await list(editor)).toEqual([second, first]);
});

test('list comes in pages [acp.list]', async () => {
  await using scene = await createScene();
  const id = await record(scene);
  const chats = join(scene.home, '.gemini', 'tmp');
  const name = (await readdir(chats, {recursive: true})).find((one) => /session-.*\.jsonl$/.test(one)) ?? '';
  const text = await readFile(join(chats, name), 'utf8');
  for (let at = 0; at < 120; at += 1) {
    const own = `${String(at).padStart(8, '0')}${id.slice(8)}`;
    const file = join(chats, name, '..', `session-2026-01-01T00-00-${own.slice(0, 8)}.jsonl`);
    await writeFile(file, text.replaceAll(id, own));
  }
  await using editor = await connect(scene);
  const one = await editor.agent.request('session/list', {cwd: scene.project});
  const two = await editor.agent.request('session/list', {cwd: scene.project, cursor: one.nextCursor ?? ''});
  expect([one.sessions.length, two.sessions.length, two.nextCursor ?? undefined]).toEqual([100, 21, undefined]);
  expect(new Set([...one.sessions, ...two.sessions].map(({sessionId}) => sessionId)).size).toBe(121);
});

test.each([
  {title: 'a relative folder', params: {cwd: 'project'}},
  {title: 'a page that there is not', params: {cursor: 'next please'}},
])('list refuses $title [acp.list]', async ({params}) => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  await expect(editor.agent.request('session/list', params)).rejects.toMatchObject({code: -32602});
});

test('close ends a session; it stays recorded, and others continue [acp.close]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const [one, two] = [await editor.open(), await editor.open()];
  scene.model.script([say('ok'), {pieces: [{kind: 'text', text: 'begun'}], stall: {afterPieces: 1}}, say('still')]);
  await editor.prompt(one.sessionId, 'first');
  const running = editor.prompt(one.sessionId, 'second');
  await editor.seen(one.sessionId, 'agent_message_chunk', ({content}) => JSON.stringify(content).includes('begun'));
  await editor.agent.request('session/close', {sessionId: one.sessionId});
  expect(await running).toMatchObject({stopReason: 'cancelled'});
  await expect(editor.prompt(one.sessionId, 'third')).rejects.toMatchObject({code: -32002});
  expect(await editor.prompt(two.sessionId, 'go')).toMatchObject({stopReason: 'end_turn'});
  expect(await list(editor, scene.project)).toContain(one.sessionId);
});

test('delete removes what is recorded, also of an open session [acp.delete]', async () => {
  await using scene = await createScene();
  const recorded = await record(scene);
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([say('ok')]);
  await editor.prompt(sessionId, 'go');
  await editor.agent.request('session/delete', {sessionId: recorded});
  expect(await list(editor, scene.project)).toEqual([sessionId]);
  await editor.agent.request('session/delete', {sessionId});
  expect(await list(editor, scene.project)).toEqual([]);
  await expect(editor.prompt(sessionId, 'more')).rejects.toMatchObject({code: -32002});
});

test('a conversation continues between the editor and the terminal [acp.load] [acp.kept]', async () => {
  await using scene = await createScene();
  const variables = {GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: scene.model.url};
  const run = (args: readonly string[]) => runGemini(args, {cwd: scene.project, home: scene.home, variables});
  scene.model.script([say('Noted.')]);
  await run(['-p', 'from the terminal']);
  await using editor = await connect(scene);
  const [sessionId = ''] = await list(editor, scene.project);
  await editor.agent.request('session/load', {sessionId, cwd: scene.project, mcpServers: []});
  expect(short(editor.updates(sessionId))).toEqual(['user from the terminal', 'agent Noted.']);
  scene.model.script([say('Noted as well.')]);
  await editor.prompt(sessionId, 'from the editor');
  await editor.agent.request('session/close', {sessionId});
  scene.model.script([say('Both.')]);
  expect((await run(['--resume', sessionId, '-p', 'from where?'])).stdout).toContain('Both.');
  const sent = JSON.stringify(scene.model.requests.at(-1)?.messages);
  for (const text of ['from the terminal', 'from the editor', 'from where?']) expect(sent).toContain(text);
});

test('when the folder of a session is gone, others continue [acp.hostile]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const gone = await editor.open({cwd: scene.other});
  const {sessionId} = await editor.open();
  await rm(scene.other, {recursive: true});
  scene.model.script([say('one'), say('two')]);
  await editor.prompt(gone.sessionId, 'go').catch(() => undefined);
  expect(await editor.prompt(sessionId, 'go')).toMatchObject({stopReason: 'end_turn'});
  expect(await list(editor)).toContain(sessionId);
});
