import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {call, connect, createScene, say, type Connected} from './scene.js';

const write = call('w1', 'write_file', {file_path: 'new.txt', content: 'made\n'});
const callsOf = (editor: Connected, session: string) =>
  editor
    .updates(session)
    .filter((one) => one.sessionUpdate === 'tool_call' || one.sessionUpdate === 'tool_call_update');

test('a call is announced before the question about it, and shown with its diff [acp.calls] [acp.ask]', async () => {
  await using scene = await createScene();
  const path = join(scene.project, 'new.txt');
  const diff = {type: 'diff', path, oldText: null, newText: 'made\n'};
  const before: string[] = [];
  await using editor = await connect(scene, {
    answer: () => {
      before.push(...callsOf(editor, sessionId).map((one) => `${one.sessionUpdate} ${one.status ?? ''}`));
      return 'yes';
    },
  });
  const {sessionId} = await editor.open();
  scene.model.script([write, say('Done.')]);
  await editor.prompt(sessionId, 'write');
  expect(before).toEqual(['tool_call pending']);
  expect(editor.asked[0]?.toolCall).toMatchObject({
    ...{status: 'pending', kind: 'edit', title: 'write_file new.txt', locations: [{path}]},
    rawInput: {file_path: 'new.txt', content: 'made\n'},
    content: expect.arrayContaining([diff]),
  });
  expect(await readFile(path, 'utf8')).toBe('made\n');
  const [first, ...others] = callsOf(editor, sessionId);
  expect(first).toMatchObject({
    ...{sessionUpdate: 'tool_call', name: 'write_file', title: 'write_file new.txt', kind: 'edit', status: 'pending'},
    toolCallId: editor.asked[0]?.toolCall.toolCallId,
  });
  expect(others.map(({status}) => status)).toEqual(['in_progress', 'completed']);
  expect(others.at(-1)).toMatchObject({content: [diff], rawOutput: {status: 'done', changed: [path]}});
});

test('each answer of a question says what it keeps [acp.ask]', async () => {
  await using scene = await createScene({
    'home/.gemini/settings.json': '{"security": {"enablePermanentToolApproval": true}}',
  });
  await using editor = await connect(scene, {answer: () => 'no'});
  const {sessionId} = await editor.open();
  scene.model.script([call('s', 'run_shell_command', {command: 'git commit -m x'}), say('ok')]);
  await editor.prompt(sessionId, 'go');
  const [asked] = editor.asked;
  expect(asked?.options.map(({optionId, kind}) => [optionId, kind])).toEqual([
    ['yes', 'allow_once'],
    ['session', 'allow_always'],
    ['always', 'allow_always'],
    ['no', 'reject_once'],
  ]);
  const keeps = asked?.options.find(({optionId}) => optionId === 'always')?._meta?.['keeps'];
  expect(keeps).toMatchObject({scope: 'user', file: expect.stringContaining('.toml')});
  const {rules} = keeps as {readonly rules: string};
  const texts = asked?.toolCall.content?.flatMap((one) =>
    one.type === 'content' && one.content.type === 'text' ? [one.content.text] : [],
  );
  expect(texts?.join('\n')).toContain(rules.trim());
});

test.each([
  {title: 'no', answer: () => 'no'},
  {title: 'a closed question', answer: () => undefined},
  {title: 'an answer that was not offered', answer: () => 'always-and-everything'},
  {
    title: 'an editor that fails to ask',
    answer: () => {
      throw new Error('no window');
    },
  },
])('$title is a refusal, and nothing is written [acp.ask] [acp.hostile]', async ({answer}) => {
  await using scene = await createScene();
  await using editor = await connect(scene, {answer});
  const {sessionId} = await editor.open();
  scene.model.script([write, say('I could not.')]);
  expect(await editor.prompt(sessionId, 'write')).toMatchObject({stopReason: 'end_turn'});
  await expect(readFile(join(scene.project, 'new.txt'))).rejects.toThrow('ENOENT');
  expect(callsOf(editor, sessionId).at(-1)).toMatchObject({status: 'failed', rawOutput: {status: 'refused'}});
});

test('an answer for the session is kept for it alone [acp.ask]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene, {answer: () => 'session'});
  const [one, two] = [await editor.open(), await editor.open()];
  const commit = call('c', 'run_shell_command', {command: 'touch made'});
  scene.model.script([commit, say('ok'), commit, say('ok'), commit, say('ok')]);
  await editor.prompt(one.sessionId, 'go');
  await editor.prompt(one.sessionId, 'go');
  expect(editor.asked.map(({sessionId}) => sessionId)).toEqual([one.sessionId]);
  await editor.prompt(two.sessionId, 'go');
  expect(editor.asked.map(({sessionId}) => sessionId)).toEqual([one.sessionId, two.sessionId]);
});

test('an edit without a question shows its diff too [acp.calls]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene, {args: ['--acp', '--approval-mode', 'auto_edit']});
  const {sessionId} = await editor.open();
  scene.model.script([
    call('e', 'replace', {file_path: 'a.txt', instruction: 'x', old_string: 'beta', new_string: 'gamma'}),
    say('ok'),
  ]);
  await editor.prompt(sessionId, 'go');
  expect(editor.asked).toEqual([]);
  const path = join(scene.project, 'a.txt');
  expect(callsOf(editor, sessionId).at(-1)).toMatchObject({
    status: 'completed',
    content: [{type: 'diff', path, oldText: 'alpha\nbeta\n', newText: 'alpha\ngamma\n'}],
  });
});

/** How calls of different tools are shown. */
const shown: readonly {
  readonly title: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly first: object;
  readonly last: object;
}[] = [
  {
    title: 'a read with what it read',
    tool: 'read_file',
    input: {file_path: 'a.txt'},
    first: {kind: 'read', title: 'read_file a.txt'},
    last: {
      status: 'completed',
      content: [{type: 'content', content: {type: 'text', text: expect.stringContaining('alpha')}}],
      rawOutput: {status: 'done', output: expect.stringContaining('alpha')},
    },
  },
  {
    title: 'a command by its line, with what it printed',
    tool: 'run_shell_command',
    input: {command: 'echo hello'},
    first: {kind: 'execute', title: 'echo hello'},
    last: {
      status: 'completed',
      content: [{type: 'content', content: {type: 'text', text: expect.stringContaining('hello')}}],
    },
  },
  {
    title: 'a search',
    tool: 'grep_search',
    input: {pattern: 'beta'},
    first: {kind: 'search', title: 'grep_search beta'},
    last: {status: 'completed'},
  },
  {
    title: 'a failure with its reason',
    tool: 'read_file',
    input: {file_path: 'missing.txt'},
    first: {kind: 'read'},
    last: {
      status: 'failed',
      content: [{type: 'content', content: {type: 'text', text: expect.stringContaining('missing.txt')}}],
      rawOutput: {status: 'failed', error: {code: expect.any(String)}},
    },
  },
  {
    title: 'a tool that there is not',
    tool: 'no_such_tool',
    input: {},
    first: {kind: 'other', title: 'no_such_tool'},
    last: {status: 'failed', rawOutput: {error: {code: 'TOOL_UNKNOWN'}}},
  },
];

test.each(shown)('a call is shown: $title [acp.calls]', async ({tool, input, first, last}) => {
  await using scene = await createScene();
  await using editor = await connect(scene, {answer: () => 'yes'});
  const {sessionId} = await editor.open();
  scene.model.script([call('x', tool, input), say('ok')]);
  await editor.prompt(sessionId, 'go');
  const updates = callsOf(editor, sessionId);
  expect(updates[0]).toMatchObject({
    sessionUpdate: 'tool_call',
    status: 'pending',
    name: tool,
    rawInput: input,
    ...first,
  });
  expect(updates.at(-1)).toMatchObject({sessionUpdate: 'tool_call_update', ...last});
  expect(new Set(updates.map(({toolCallId}) => toolCallId)).size).toBe(1);
});

test('what a command prints is shown while it runs [acp.calls]', async () => {
  await using scene = await createScene();
  await writeFile(join(scene.project, 'go.sh'), 'echo early; while [ ! -e stop ]; do sleep 0.05; done\n');
  await using editor = await connect(scene, {answer: () => 'yes'});
  const {sessionId} = await editor.open();
  scene.model.script([call('x', 'run_shell_command', {command: 'sh go.sh'}), say('ok')]);
  const running = editor.prompt(sessionId, 'go');
  await editor.seen(sessionId, 'tool_call_update', (one) => JSON.stringify(one.content ?? '').includes('early'));
  await writeFile(join(scene.project, 'stop'), '');
  expect(await running).toMatchObject({stopReason: 'end_turn'});
});

test('the steps of the model are the plan of the editor [acp.plan]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  const todos = [
    {description: 'look', status: 'completed'},
    {description: 'cut', status: 'in_progress'},
    {description: 'wait', status: 'blocked'},
    {description: 'drop', status: 'cancelled'},
  ];
  scene.model.script([call('t', 'write_todos', {todos}), say('ok')]);
  await editor.prompt(sessionId, 'go');
  expect((await editor.seen(sessionId, 'plan')).entries).toEqual([
    {content: 'look', status: 'completed', priority: 'medium'},
    {content: 'cut', status: 'in_progress', priority: 'medium'},
    {content: 'wait (blocked)', status: 'pending', priority: 'medium'},
    {content: 'drop (cancelled)', status: 'completed', priority: 'medium'},
  ]);
});

test.each([
  {title: 'as a form', fill: true},
  {title: 'as a permission, where the editor shows no forms', fill: false},
])('a question of the model is asked $title [acp.forms]', async ({fill}) => {
  await using scene = await createScene();
  const options = [
    {label: 'Red', description: 'warm'},
    {label: 'Blue', description: 'cold'},
  ];
  await using editor = await connect(scene, {
    ...(fill
      ? {
          fill: ({message, ...request}) => {
            expect(message).toContain('colour');
            const {requestedSchema} = request as unknown as {requestedSchema: {properties: Record<string, object>}};
            const [name = ''] = Object.keys(requestedSchema.properties);
            return {action: 'accept', content: {[name]: 'Blue'}};
          },
        }
      : {answer: ({options: offered}) => offered.find(({name}) => name.startsWith('Blue'))?.optionId}),
  });
  const {sessionId} = await editor.open();
  const questions = [{question: 'Which colour?', header: 'colour', type: 'choice', options}];
  scene.model.script([call('q', 'ask_user', {questions}), say('ok')]);
  await editor.prompt(sessionId, 'go');
  expect(JSON.stringify(scene.model.requests.at(-1)?.messages)).toContain('Blue');
});

test('an agent that works shows what it does [agents.progress]', async () => {
  await using scene = await createScene({
    'home/.gemini/agents/helper.md': '---\nname: helper\ndescription: Helps.\n---\nYou are helper.\n',
  });
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  const isHelper = (system: string): boolean => system.startsWith('You are helper.');
  let turn = 0;
  scene.model.script(async ({system}) => {
    if (isHelper(system) && (turn += 1) === 1) return call('r1', 'read_file', {file_path: 'a.txt'});
    // It says no more until the editor has seen what it does.
    if (isHelper(system)) await editor.seen(sessionId, 'tool_call_update', (one) => /turn 2/.test(JSON.stringify(one)));
    if (isHelper(system)) return say('Read.');
    return turn === 0 ? call('i1', 'invoke_agent', {agent_name: 'helper', prompt: 'Look.'}) : say('Done.');
  });
  await editor.prompt(sessionId, 'ask the helper');
  const shown = JSON.stringify(callsOf(editor, sessionId));
  expect(shown).toContain('invoke_agent helper: Look.');
  expect(shown).toContain('thinks (turn 1)');
  expect(shown).toContain('read_file a.txt (turn 1)');
});
