import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startConversation} from './conversation.js';

const say = (text: string): ScriptedAnswer => ({
  pieces: [{kind: 'text', text}],
  usage: {input: 10, output: 2, total: 12},
});
const call = (name: string, input: unknown, id?: string): NonNullable<ScriptedAnswer['pieces']>[number] => ({
  kind: 'call',
  name,
  input,
  ...(id ? {id} : {}),
});

test('a prompt is answered, and the first message sets the scene [agent.turn]', async () => {
  await using talk = await startConversation({script: [say('Hello.')], files: {'a.txt': 'x', 'src/b.ts': 'y'}});
  const end = await talk.send('hi');
  expect(end).toEqual({status: 'done', text: 'Hello.', warnings: [], refused: [], changed: []});
  const [request] = talk.server.requests;
  const [first] = request?.messages ?? [];
  const text = first?.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('\n') ?? '';
  expect(text).toMatch(/^<session_context>/);
  expect(text).toContain(`  - ${talk.kernel.project}\n`);
  expect(text).toContain('├───a.txt\n└───src/\n    └───b.ts');
  expect(text).toMatch(/<\/session_context>\nhi$/);
  expect(request?.system).toContain('You are an agent that works on software');
  expect(request?.tools.map(({name}) => name)).toContain('read_file');
  expect(talk.server.faults).toEqual([]);
});

test('calls run, and each result goes back under its id, in the order of the calls [agent.turn]', async () => {
  await using talk = await startConversation({
    files: {'a.txt': 'alpha\n', 'b.txt': 'beta\n'},
    script: [
      {
        pieces: [
          {kind: 'text', text: 'Looking.'},
          call('read_file', {file_path: 'b.txt'}, 'two'),
          call('read_file', {file_path: 'a.txt'}, 'one'),
        ],
      },
      say('Done.'),
    ],
  });
  expect((await talk.send('look')).text).toBe('Done.');
  const results = talk.server.requests[1]?.messages.at(-1)?.pieces;
  expect(results).toEqual([
    {kind: 'result', id: 'two', name: 'read_file', output: [{text: 'beta\n'}], failed: false},
    {kind: 'result', id: 'one', name: 'read_file', output: [{text: 'alpha\n'}], failed: false},
  ]);
  expect(talk.server.faults).toEqual([]);
});

test('a write waits for the reads before it, and a later read for the write [agent.order]', async () => {
  await using talk = await startConversation({
    files: {'a.txt': 'old\n'},
    mode: 'auto_edit',
    settings: {general: {defaultApprovalMode: 'auto_edit'}},
    script: [
      {
        pieces: [
          call('read_file', {file_path: 'a.txt'}),
          call('write_file', {file_path: 'a.txt', content: 'new\n'}),
          call('read_file', {file_path: 'a.txt'}),
        ],
      },
      say('Done.'),
    ],
  });
  await talk.send('go');
  const texts = talk.server.requests[1]?.messages
    .at(-1)
    ?.pieces.map((piece) =>
      piece.kind === 'result' ? piece.output.map((part) => ('text' in part ? part.text : '')).join('') : '',
    );
  expect([texts?.[0], texts?.[2]]).toEqual(['old\n', 'new\n']);
  expect(await readFile(join(talk.kernel.project, 'a.txt'), 'utf8')).toBe('new\n');
});

test.each([
  [
    'an unknown tool with the nearest names',
    call('read_fil', {file_path: 'a.txt'}),
    /There is no tool read_fil\.\nDid you mean read_file/,
  ],
  ['arguments that do not fit with what is wrong', call('read_file', {path: 'a.txt'}), /input lacks "file_path"/],
  [
    'a refused call with the reason',
    call('write_file', {file_path: 'a.txt', content: 'x'}),
    /This call was refused: It needs your approval, and this run cannot ask you/,
  ],
  ['a failed call with its sentence and hint', call('read_file', {file_path: 'gone.txt'}), /gone\.txt/],
])('%s goes back to the model as a failure [agent.failures]', async (_, piece, pattern) => {
  await using talk = await startConversation({script: [{pieces: [piece]}, say('I see.')]});
  expect((await talk.send('go')).status).toBe('done');
  const result = talk.server.requests[1]?.messages.at(-1)?.pieces[0];
  expect(result).toMatchObject({kind: 'result', failed: true});
  expect(
    result?.kind === 'result' && 'text' in (result.output[0] ?? {}) ? (result.output[0] as {text: string}).text : '',
  ).toMatch(pattern);
});

test('refused calls are listed at the end [headless.refused]', async () => {
  await using talk = await startConversation({
    script: [{pieces: [call('write_file', {file_path: 'a.txt', content: 'x'}, 'w1')]}, say('I may not.')],
  });
  const {refused} = await talk.send('go');
  const input = {file_path: 'a.txt', content: 'x'};
  expect(refused).toEqual([
    {
      tool: 'write_file',
      id: 'write_file__w1',
      input,
      reason: expect.stringContaining('It needs your approval, and this run cannot ask you'),
    },
  ]);
});

test('a thought and its mark go back with the call they came with [model.signatures]', async () => {
  await using talk = await startConversation({
    files: {'a.txt': 'x'},
    script: [
      {
        pieces: [
          {kind: 'thought', text: 'Hm.'},
          {kind: 'call', id: 'c', name: 'read_file', input: {file_path: 'a.txt'}, signature: 'c2ln'},
        ],
      },
      say('Done.'),
    ],
  });
  await talk.send('go');
  expect(talk.server.requests[1]?.messages.flatMap(({pieces}) => pieces).filter(({kind}) => kind === 'call')).toEqual([
    {kind: 'call', id: 'c', name: 'read_file', input: {file_path: 'a.txt'}, signature: 'c2ln'},
  ]);
});

test('a second prompt waits for the first, and carries its history [agent.turn]', async () => {
  await using talk = await startConversation({script: [say('One.'), say('Two.')]});
  const ends = await Promise.all([talk.send('first'), talk.send('second')]);
  expect(ends.map(({text}) => text)).toEqual(['One.', 'Two.']);
  expect(talk.server.requests[1]?.messages.slice(1)).toEqual([
    {role: 'model', pieces: [{kind: 'text', text: 'One.'}]},
    {role: 'user', pieces: [{kind: 'text', text: 'second'}]},
  ]);
});

test('the turns of a conversation are limited by model.maxSessionTurns [agent.limits]', async () => {
  await using talk = await startConversation({
    script: [say('One.'), say('Two.')],
    settings: {model: {maxSessionTurns: 1}},
  });
  await talk.send('first');
  expect(await talk.send('second')).toMatchObject({status: 'limit', error: {code: 'TURNS_EXHAUSTED'}});
  expect(talk.server.requests).toHaveLength(1);
});

test('without a limit a prompt takes as many rounds as it needs [agent.limits] [agent.unlimited]', async () => {
  const script = (_: unknown, index: number): ScriptedAnswer =>
    index < 101 ? {pieces: [call('read_file', {file_path: `${index}.txt`})]} : say('Done.');
  await using talk = await startConversation({script});
  expect(await talk.send('go')).toMatchObject({status: 'done', text: 'Done.'});
  expect(talk.server.requests).toHaveLength(102);
}, 120_000);

test('limits of a prompt count in the place of the settings, in both directions [agent.limits]', async () => {
  const usage = {input: 10, output: 0, total: 10};
  const script = (_: unknown, index: number): ScriptedAnswer => ({
    pieces: [call('read_file', {file_path: `${index}.txt`})],
    usage,
  });
  const ended = async (limits: object, settings: object): Promise<unknown> => {
    await using talk = await startConversation({
      script,
      settings: {model: {prices: {'gemini-3.1-pro-preview': {input: 100_000, output: 1}}, ...settings}},
    });
    const turn = await talk.agent.send(
      {text: 'go', limits},
      {signal: new AbortController().signal, onEvent: () => undefined},
    );
    return [turn.status, turn.error?.code, talk.server.requests.length];
  };
  expect(await ended({turns: 2}, {maxSessionTurns: 1})).toEqual(['limit', 'TURNS_EXHAUSTED', 2]);
  expect(await ended({turns: 2}, {maxSessionTurns: 5})).toEqual(['limit', 'TURNS_EXHAUSTED', 2]);
  expect(await ended({cost: 3}, {})).toEqual(['limit', 'COST_EXHAUSTED', 3]);
  expect(await ended({}, {maxSessionCost: 2})).toEqual(['limit', 'COST_EXHAUSTED', 2]);
  expect(await ended({cost: 3}, {prices: {}})).toEqual(['failed', 'COST_UNKNOWN', 0]);
});

test('the same call five times is answered with a warning, and then the model is stopped [agent.loops]', async () => {
  await using talk = await startConversation({
    files: {'a.txt': 'x'},
    script: () => ({pieces: [call('read_file', {file_path: 'a.txt'})]}),
  });
  expect(await talk.send('go')).toMatchObject({status: 'loop', error: {code: 'MODEL_LOOPING'}});
  expect(talk.server.requests).toHaveLength(10);
  const told = talk.server.requests[5]?.messages.at(-1)?.pieces[0];
  expect(told).toMatchObject({
    kind: 'result',
    failed: true,
    output: [{text: expect.stringContaining('were repeated')}],
  });
  const calls = (await talk.agent.history()).flatMap((entry) => entry.calls ?? []);
  expect(calls[4]?.error).toEqual({code: 'CALL_LOOP', message: 'The same calls were repeated.'});
});

test('text that repeats itself is stopped while it comes [agent.loops]', async () => {
  const again = {
    pieces: Array.from({length: 40}, () => ({
      kind: 'text' as const,
      text: 'I will now look at the file once more, as I said before. ',
    })),
  };
  await using talk = await startConversation({script: () => again});
  expect(await talk.send('go')).toMatchObject({status: 'loop'});
  expect(talk.server.requests).toHaveLength(2);
});

test('loops are let go where the settings say so [agent.loops]', async () => {
  const script = (_: unknown, index: number): ScriptedAnswer =>
    index < 7 ? {pieces: [call('read_file', {file_path: 'a.txt'})]} : say('Done.');
  await using talk = await startConversation({
    files: {'a.txt': 'x'},
    script,
    settings: {model: {disableLoopDetection: true}},
  });
  expect((await talk.send('go')).status).toBe('done');
});

test('cancelling while the model answers keeps the answer so far, and the conversation can continue [agent.abort]', async () => {
  await using talk = await startConversation({
    script: [
      {
        pieces: [
          {kind: 'text', text: 'I will '},
          {kind: 'text', text: 'never finish'},
        ],
        stall: {afterPieces: 1},
      },
      say('Fine.'),
    ],
  });
  const stop = new AbortController();
  const turn = talk.agent.send(
    {text: 'go'},
    {signal: stop.signal, onEvent: (event) => event.kind === 'text' && stop.abort(new Error('enough'))},
  );
  expect(await turn).toMatchObject({status: 'aborted', text: 'I will '});
  expect(await talk.server.requests[0]?.end).toBe('left');
  expect((await talk.send('and now?')).text).toBe('Fine.');
  expect(talk.server.requests[1]?.messages.slice(-2)).toEqual([
    {role: 'model', pieces: [{kind: 'text', text: 'I will '}]},
    {role: 'user', pieces: [{kind: 'text', text: 'and now?'}]},
  ]);
  expect(talk.server.faults).toEqual([]);
});

test('who gives up while calls run leaves each of them answered [agent.abort]', async () => {
  await using talk = await startConversation({
    more: ['shell', 'secrets'],
    settings: {tools: {allowed: ['run_shell_command']}},
    script: [
      {
        pieces: [
          call('run_shell_command', {command: 'sleep 30'}, 'c1'),
          call('run_shell_command', {command: 'echo never'}, 'c2'),
        ],
      },
      say('Fine.'),
    ],
  });
  const stop = new AbortController();
  const turn = talk.agent.send(
    {text: 'go'},
    {signal: stop.signal, onEvent: (event) => event.kind === 'call' && stop.abort(new Error('enough'))},
  );
  expect(await turn).toMatchObject({status: 'aborted'});
  expect((await talk.send('continue')).text).toBe('Fine.');
  expect(
    talk.server.requests[1]?.messages
      .at(-1)
      ?.pieces.map((piece) => (piece.kind === 'result' ? [piece.id, piece.failed] : piece.kind)),
  ).toEqual([['c1', true], ['c2', true], 'text']);
  expect(talk.server.faults).toEqual([]);
});

test('a prompt can be taken back with all that came after [agent.rewind]', async () => {
  await using talk = await startConversation({script: [say('One.'), say('Two.'), say('Three.')]});
  await talk.send('first');
  await talk.send('second');
  const prompt = (await talk.agent.history()).find(({shown}) => shown === 'second');
  expect(await talk.agent.rewind(prompt?.id ?? '')).toEqual({text: 'second'});
  await expect(talk.agent.rewind('nothing')).rejects.toMatchObject({code: 'PROMPT_UNKNOWN'});
  await talk.send('third');
  expect(talk.server.requests[2]?.messages.at(-1)).toEqual({role: 'user', pieces: [{kind: 'text', text: 'third'}]});
  expect(talk.server.requests[2]?.messages).toHaveLength(3);
});
