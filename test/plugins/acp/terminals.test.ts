import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {call, connect, createScene, say, type Connected, type Scene} from './scene.js';

const SHOWS = {_meta: {terminal_output: true}};
const ID = 'run_shell_command__x';

interface Meta {
  readonly terminal_info?: {readonly terminal_id: string; readonly cwd: string};
  readonly terminal_output?: {readonly terminal_id: string; readonly data: string};
  readonly terminal_exit?: {readonly terminal_id: string; readonly exit_code: unknown; readonly signal: unknown};
}

const callsOf = (editor: Connected, session: string) =>
  editor
    .updates(session)
    .flatMap((one) => (one.sessionUpdate === 'tool_call' || one.sessionUpdate === 'tool_call_update' ? [one] : []));
const metaOf = (one: {readonly _meta?: unknown}): Meta => one._meta ?? {};

/** What the terminal of the call has been sent, as it is appended there. */
const shownBy = (editor: Connected, session: string): string =>
  callsOf(editor, session)
    .map((one) => metaOf(one).terminal_output?.data ?? '')
    .join('');

let scene: Scene;
/** Shows terminals, and allows what it is asked for. */
let editor: Connected;

beforeAll(async () => {
  scene = await createScene({'project/sub/here.txt': ''});
  editor = await connect(scene, {
    answer: () => 'yes',
    capabilities: SHOWS,
    variables: {MY_API_TOKEN: 'tok-0123456789abcdef'},
  });
});

afterAll(async () => {
  await editor[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

/** Runs a command of the model in a session of its own; gives what was shown. */
async function run(input: Record<string, unknown>, connected = editor) {
  const {sessionId} = await connected.open();
  scene.model.script([call('x', 'run_shell_command', input), say('ok')]);
  await connected.prompt(sessionId, 'go');
  const updates = callsOf(connected, sessionId);
  return {sessionId, updates, shown: shownBy(connected, sessionId), exit: metaOf(updates.at(-1) ?? {}).terminal_exit};
}

test('a command has a terminal that shows what it prints and how it ended [acp.terminals]', async () => {
  const {updates, shown, exit} = await run({command: 'ls; printf "one\\ntwo"', dir_path: 'sub'});
  const content = [{type: 'terminal', terminalId: ID}];
  expect(updates[0]).toMatchObject({
    ...{sessionUpdate: 'tool_call', toolCallId: ID, status: 'pending', content},
    _meta: {terminal_info: {terminal_id: ID, cwd: join(scene.project, 'sub')}},
  });
  expect(updates[1]).toMatchObject({status: 'in_progress', content});
  expect(updates.at(-1)).toMatchObject({status: 'completed', content, rawOutput: {status: 'done'}});
  expect(shown).toBe('here.txt\r\none\r\ntwo');
  expect(exit).toEqual({terminal_id: ID, exit_code: 0, signal: null});
  // Nothing that arrives may stand in place of the terminal.
  expect(updates.filter(({content: other}) => other && other[0]?.type !== 'terminal')).toEqual([]);
});

test('output reaches the terminal while the command runs [acp.terminals]', async () => {
  await writeFile(join(scene.project, 'go.sh'), 'echo early; while [ ! -e stop ]; do sleep 0.05; done; echo late\n');
  const {sessionId} = await editor.open();
  scene.model.script([call('x', 'run_shell_command', {command: 'sh go.sh'}), say('ok')]);
  const running = editor.prompt(sessionId, 'go');
  await editor.seen(sessionId, 'tool_call_update', (one) => metaOf(one).terminal_output?.data === 'early\r\n');
  await writeFile(join(scene.project, 'stop'), '');
  expect(await running).toMatchObject({stopReason: 'end_turn'});
  expect(shownBy(editor, sessionId)).toBe('early\r\nlate\r\n');
});

test('colours and lines that are drawn again stay as the command wrote them [acp.terminals]', async () => {
  const command = String.raw`printf '\033[1;31mred\033[0m \033[38;5;8mgrey\033[m\n50%%\r\033[K100%%\n'`;
  const {shown} = await run({command});
  expect(shown).toBe('\u001b[1;31mred\u001b[0m \u001b[38;5;8mgrey\u001b[m\r\n50%\r\u001b[K100%\r\n');
});

const hostile: readonly (readonly [string, string, string])[] = [
  ['a clipboard', String.raw`a\033]52;c;aGk=\007b`, 'ab'],
  ['a title', String.raw`a\033]0;owned\033\\b`, 'ab'],
  ['a link', String.raw`a\033]8;;file:///etc\033\\b`, 'ab'],
  ['questions to the terminal', String.raw`a\033[6n\033[c\033[>q\033[5n\005b`, 'ab'],
  ['device strings', String.raw`a\033P+q544e\033\\\033_Gi=1\033\\b`, 'ab'],
  ['modes and keys', String.raw`a\033[?1049h\033[>4;2m\033[?2004h\033=b`, 'ab'],
  ['moves to other lines', String.raw`a\033[2J\033[H\033[5A\033[3Bb`, 'ab'],
  ['controls of eight bits', String.raw`a\302\23352;cb\302\235c`, 'a52;cbc'],
  ['a sequence that never ends', String.raw`a\033]52;c;`, 'a'],
  ['a sequence in another one', String.raw`a\033[\0332Jb`, 'aJb'],
  ['marks that turn the direction', String.raw`a\342\200\256b`, String.raw`a\u202eb`],
];

test('a terminal is sent nothing that commands it [acp.terminals] [acp.hostile]', async () => {
  await writeFile(join(scene.project, 'text'), hostile.map(([, text]) => `${text}\n`).join(''));
  const {shown} = await run({command: 'printf "$(cat text)\n"'});
  const lines = shown.split('\r\n');
  expect(hostile.map(([what], index) => [what, lines[index]])).toEqual(hostile.map(([what, , safe]) => [what, safe]));
  expect(lines.slice(hostile.length)).toEqual(['']);
});

test('secrets of the environment are not in the terminal [acp.terminals]', async () => {
  const {shown} = await run({command: "printf '\\033[32mtok-0123456%s\\n' 789abcdef"});
  expect(shown).toContain('\u001b[32m');
  expect(shown).not.toContain('tok-0123456789abcdef');
});

test('a command that fails says its exit code [acp.terminals]', async () => {
  const {updates, exit, shown} = await run({command: 'echo no >&2; exit 3'});
  expect([shown, exit]).toEqual(['no\r\n', {terminal_id: ID, exit_code: 3, signal: null}]);
  expect(updates.at(-1)).toMatchObject({content: [{type: 'terminal'}]});
});

test('a limit that ends a command is named in its terminal [acp.terminals]', async () => {
  const {exit, shown} = await run({command: 'echo begun; sleep 60', timeout_ms: 300});
  expect(shown).toContain('begun\r\n\u001b[0mCommand was automatically cancelled because it ran longer than 0.3 s');
  expect(exit).toMatchObject({exit_code: null, signal: expect.stringContaining('SIG')});
});

test('a command that prints nothing, or bytes, says so in its terminal [acp.terminals]', async () => {
  expect((await run({command: 'true'})).shown).toBe('(no output)\r\n');
  expect((await run({command: "printf 'a\\000b'"})).shown).toMatch(/binary/);
});

test('a command in the background leaves its terminal with the process that it is [acp.terminals]', async () => {
  const {exit, shown} = await run({command: 'echo up; sleep 60', is_background: true, delay_ms: 500});
  expect(shown).toMatch(/^up\r\n\u001b\[0mRunning in the background as process \d+\.\r\n$/);
  expect(exit).toEqual({terminal_id: ID, exit_code: null, signal: null});
});

test('a cancelled command ends its terminal, and what it printed stays [acp.terminals] [acp.cancel]', async () => {
  const {sessionId} = await editor.open();
  scene.model.script([call('x', 'run_shell_command', {command: 'echo begun; sleep 60'})]);
  const running = editor.prompt(sessionId, 'go');
  await editor.seen(sessionId, 'tool_call_update', (one) => metaOf(one).terminal_output !== undefined);
  await editor.agent.notify('session/cancel', {sessionId});
  expect(await running).toMatchObject({stopReason: 'cancelled'});
  const last = callsOf(editor, sessionId).at(-1);
  expect(last).toMatchObject({status: 'failed', content: [{type: 'terminal', terminalId: ID}]});
  expect(metaOf(last ?? {}).terminal_exit).toEqual({terminal_id: ID, exit_code: null, signal: null});
  expect(shownBy(editor, sessionId)).toMatch(/^begun\r\n\u001b\[0m\S/);
});

test('a flood reaches the terminal in few and bounded updates, with its end [acp.terminals]', async () => {
  const {updates, shown} = await run({command: 'seq 1 2000000; echo finished'});
  const pieces = updates.flatMap((one) => metaOf(one).terminal_output?.data ?? []);
  expect(Math.max(...pieces.map(({length}) => length))).toBeLessThan(20_000);
  expect(shown.length).toBeLessThan(1_200_000);
  expect(shown).toContain('[Output is left out here.]\r\n');
  expect(shown.endsWith('1999999\r\n2000000\r\nfinished\r\n')).toBe(true);
});

test('a refused command shows why, and its terminal is closed [acp.terminals]', async () => {
  await using strict = await connect(scene, {answer: () => 'no', capabilities: SHOWS});
  const {updates, shown, exit} = await run({command: 'touch x'}, strict);
  expect(updates.at(-1)).toMatchObject({status: 'failed', content: [{type: 'content'}]});
  expect([shown, exit]).toEqual(['', {terminal_id: ID, exit_code: null, signal: null}]);
});

test.each([
  ['offers terminals of its own', {terminal: true}],
  ['offers it with something else than true', {_meta: {terminal_output: 'yes'}}],
])('an editor that %s sees the output as text [acp.terminals]', async (_, capabilities) => {
  await using plain = await connect(scene, {answer: () => 'yes', capabilities});
  const {updates} = await run({command: 'echo hello'}, plain);
  expect(JSON.stringify(updates)).not.toContain('terminal');
  expect(JSON.stringify(updates.at(-1)?.content)).toContain('hello');
});

test('in a session that is loaded, past commands show their output as text [acp.terminals] [acp.load]', async () => {
  const {sessionId, updates} = await run({command: 'echo kept'});
  await editor.agent.request('session/load', {sessionId, cwd: scene.project, mcpServers: []});
  await new Promise((resolve) => setImmediate(resolve));
  const replayed = callsOf(editor, sessionId).slice(updates.length);
  expect(replayed.map(metaOf)).toEqual(replayed.map(() => ({})));
  expect(JSON.stringify(replayed.at(-1)?.content)).toContain('kept');
});
