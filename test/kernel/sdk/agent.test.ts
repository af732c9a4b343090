import {readdir, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {createAgent, defineTool, ToolError, type AgentQuestion, type Span, type StreamEvent} from '@gemini-kernel/sdk';
import {callsTools, says} from '../../helpers/run-agent.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {openSdkPlace} from './sdk-place.js';

async function collect(events: AsyncIterable<StreamEvent>): Promise<readonly StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('the events of a prompt are those that the program prints as stream-json [sdk.events]', async () => {
  const script = [callsTools(['read_file', {file_path: 'a.txt'}]), says('It ', 'says one.')];
  await using place = await openSdkPlace([...script, ...script]);
  const agent = await place.agent();
  const session = await agent.session();
  const ours = await collect(session.send('What does a.txt say?'));
  const {stdout} = await runGemini(['-m', 'model-a', '-o', 'stream-json', '-p', 'What does a.txt say?'], {
    cwd: place.cwd,
    home: place.home,
    variables: place.variables,
  });
  const theirs = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StreamEvent);
  const plain = (events: readonly StreamEvent[]): unknown =>
    JSON.parse(
      JSON.stringify(events, (key, value: unknown) =>
        ['timestamp', 'session_id', 'duration_ms'].includes(key) ? undefined : value,
      ),
    );
  expect(ours.map(({type}) => type)).toEqual([
    'init',
    'message',
    'tool_use',
    'tool_result',
    'message',
    'message',
    'result',
  ]);
  expect(plain(ours)).toEqual(plain(theirs));
});

test('a call that a rule asks about is refused without answer, and runs or not as answer says [sdk.answer]', async () => {
  const write = callsTools(['write_file', {file_path: 'b.txt', content: 'two\n'}]);
  await using place = await openSdkPlace([write, says('No.'), write, says('No.'), write, says('Yes.')]);
  const alone = await (await (await place.agent()).session()).send('Write.').result();
  expect(alone.refused).toMatchObject([{tool_name: 'write_file'}]);
  const asked: AgentQuestion[] = [];
  const replies = [undefined, true];
  const agent = await place.agent({
    answer(question) {
      asked.push(question);
      return replies[asked.length - 1];
    },
  });
  const session = await agent.session();
  expect((await session.send('Write.').result()).refused).toMatchObject([{reason: 'The program answered no.'}]);
  expect(await readdir(place.cwd)).toEqual(['a.txt']);
  expect(await session.send('Write.').result()).toMatchObject({changed_files: ['b.txt'], refused: [], outcome: 'done'});
  expect(asked).toMatchObject([
    {kind: 'call', session: session.id, call: {tool: 'write_file'}, preview: {kind: 'diff', after: 'two\n'}},
    {kind: 'call'},
  ]);
});

test('a tool of the program takes the one path, and tells the model what went wrong [sdk.tools]', async () => {
  const seen: string[] = [];
  const halve = defineTool({
    name: 'halve',
    description: 'Halves a number.',
    effect: 'read',
    input: {type: 'object', required: ['number'], properties: {number: {type: 'integer'}}},
    run({number}, {call}) {
      seen.push(call.tool);
      if (number % 2 === 1) throw new ToolError('ODD', `${number} is odd.`);
      return {half: number / 2};
    },
  });
  const asking = defineTool({
    name: 'asking',
    description: 'Asks.',
    input: {type: 'object'},
    asks: true,
    run: () => 'ran',
  });
  await using place = await openSdkPlace([callsTools(['halve', {number: 3}]), says('It is odd.')]);
  const session = await (await place.agent({tools: [halve, asking]})).session();
  expect((await session.send('Halve 3.').result()).response).toBe('It is odd.');
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('3 is odd.');
  expect(await session.call('halve', {number: 8})).toMatchObject({status: 'done', result: {data: {half: 4}}});
  const misfit = {status: 'failed', error: {code: 'TOOL_INPUT_INVALID'}};
  expect(await session.call('halve', {number: 'x'})).toMatchObject(misfit);
  expect(await session.call('asking', {})).toMatchObject({status: 'refused'});
  expect(seen).toEqual(['halve', 'halve']);
});

test('a rule that denies a tool of the program wins over the program [sdk.tools]', async () => {
  const rules = '[[rule]]\ntoolName = "greet"\ndecision = "deny"\npriority = 900\n';
  await using place = await openSdkPlace([], {'../home/.gemini/policies/no.toml': rules});
  const greet = defineTool({name: 'greet', description: 'Greets.', input: {type: 'object'}, run: () => 'hello'});
  const session = await (await place.agent({tools: [greet]})).session();
  expect(await session.call('greet', {})).toMatchObject({status: 'refused'});
});

test('nothing of the process reaches an agent that was not given it [sdk.process]', async () => {
  process.env['GEMINI_API_KEY'] = 'key-of-the-process';
  try {
    await using place = await openSdkPlace([callsTools(['run_shell_command', {command: 'env'}]), says('Done.')]);
    const agent = await place.agent({mode: 'yolo', environment: {variables: {...place.variables, SEEN: 'yes'}}});
    const session = await agent.session();
    await session.send('Look.').result();
    const [, second] = place.server.requests;
    const text = JSON.stringify(second?.messages);
    expect(text).toContain('SEEN=yes');
    expect(text).not.toContain('key-of-the-process');
    expect(place.server.requests[0]?.headers['x-goog-api-key']).toBe('a-key-of-gemini');
    for (const name of ['HOME=', 'JEST_WORKER_ID', 'NODE_OPTIONS']) expect(text).not.toContain(name);
  } finally {
    delete process.env['GEMINI_API_KEY'];
  }
});

test('an abort, a stop and leaving the loop end a prompt, and the session continues [sdk.cancel]', async () => {
  const stall = {...says('One', 'two'), stall: {afterPieces: 1}};
  await using place = await openSdkPlace([stall, stall, stall, says('Here.')]);
  const session = await (await place.agent()).session();
  const cancel = new AbortController();
  const outcomes: string[] = [];
  for await (const event of session.send('Go.', {signal: cancel.signal})) {
    if (event.type === 'message' && event.role === 'assistant') cancel.abort(new Error('mine'));
    if (event.type === 'result') outcomes.push(event.outcome, event.error?.code ?? '');
  }
  for await (const event of session.send('Go.')) {
    if (event.type === 'message' && event.role === 'assistant') await session.steer({kind: 'stop'});
    if (event.type === 'result') outcomes.push(event.outcome);
  }
  for await (const event of session.send('Go.')) if (event.type === 'message' && event.role === 'assistant') break;
  outcomes.push((await session.send('Continue.').result()).response);
  expect(outcomes).toEqual(['interrupted', 'RUN_CANCELLED', 'interrupted', 'Here.']);
});

test('a session that began at the terminal continues in a program, and the other way round [sdk.resume]', async () => {
  await using place = await openSdkPlace([says('One.'), says('Two.'), says('Three.')]);
  const {cwd, home, variables} = place;
  const first = await runGemini(['-m', 'model-a', '-o', 'json', '-p', 'First.'], {cwd, home, variables});
  const {session_id: id} = JSON.parse(first.stdout) as {session_id: string};
  const agent = await place.agent();
  const session = await agent.session({id});
  expect(session.id).toBe(id);
  expect((await session.send('Second.').result()).response).toBe('Two.');
  await agent.dispose();
  const last = await runGemini(['-m', 'model-a', '-p', 'Third.', '--resume', id], {cwd, home, variables});
  expect(last.stdout).toBe('Three.\n');
  const said = JSON.stringify(place.server.requests.at(-1)?.messages);
  for (const text of ['First.', 'One.', 'Second.', 'Two.', 'Third.']) expect(said).toContain(text);
});

test('a session is steered while it lasts [sdk.steer]', async () => {
  await using place = await openSdkPlace([says('One.'), says('Two.')]);
  const session = await (await place.agent()).session();
  await session.send('First.').result();
  const [first] = (await session.history()).filter(({origin}) => origin === 'person');
  await session.steer({kind: 'rewind', prompt: first?.id ?? ''});
  expect((await session.history()).some(({origin}) => origin === 'person')).toBe(false);
  await session.steer({kind: 'mode', mode: 'plan'});
  expect(await session.call('write_file', {file_path: 'b.txt', content: ''})).toMatchObject({status: 'refused'});
  await expect(session.steer({kind: 'thinking', level: 'deep'})).rejects.toMatchObject({
    code: 'THOUGHT_LEVEL_UNKNOWN',
  });
  await expect(session.steer({kind: 'mode', mode: 'nonsense'})).rejects.toMatchObject({code: 'MODE_UNKNOWN'});
  const before = session.id;
  await session.steer({kind: 'new'});
  expect(session.id).not.toBe(before);
});

test('each answer of a plugin is a span for the program [sdk.spans]', async () => {
  await using place = await openSdkPlace();
  const spans: Span[] = [];
  const session = await (await place.agent({onSpan: (span) => spans.push(span)})).session();
  const {callId} = await session.call('read_file', {file_path: 'a.txt'});
  expect(spans.filter(({call, hook}) => call === callId && hook === 'tool:judge').map(({plugin}) => plugin)).toContain(
    '@gemini-kernel/plugin-policy',
  );
});

test('agents of one process see nothing of each other [sdk.apart]', async () => {
  await using place = await openSdkPlace((request) =>
    says(/instructions of (\w+)/.exec(`${request.system}`)?.[1] ?? 'none'),
  );
  const own = (name: string) => defineTool({name, description: name, input: {type: 'object'}, run: () => name});
  const names = Array.from({length: 12}, (_, index) => `agent${index}`);
  const answers = await Promise.all(
    names.map(async (name) => {
      const agent = await place.agent({instructions: `The instructions of ${name}.`, tools: [own(`tool_${name}`)]});
      const session = await agent.session();
      const tools = (await session.tools()).map((tool) => tool.name).filter((tool) => tool.startsWith('tool_'));
      return [(await session.send('Who are you?').result()).response, ...tools];
    }),
  );
  expect(answers).toEqual(names.map((name) => [name, `tool_${name}`]));
});

test('a disposed agent leaves no folder, timer, handle or listener [sdk.dispose]', async () => {
  const listeners = (): unknown => process.eventNames().map((name) => [name, process.listenerCount(name)]);
  const left = async (): Promise<readonly string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('gemini-sdk-') && !name.startsWith('gemini-sdk-test-'));
  await using place = await openSdkPlace([callsTools(['run_shell_command', {command: 'sleep 60 &'}]), says('Done.')]);
  const once = async (): Promise<void> => {
    const agent = await createAgent({
      ...{cwd: place.cwd, trusted: true, model: 'model-a', mode: 'yolo' as const},
      environment: {variables: place.variables},
    });
    const session = await agent.session();
    await session.send('Go.').result();
    await agent.dispose();
    await expect(agent.session()).rejects.toMatchObject({code: 'SDK_CLOSED'});
    await expect(session.call('read_file', {file_path: 'a.txt'})).rejects.toMatchObject({code: 'SDK_CLOSED'});
  };
  const active = (): unknown => process.getActiveResourcesInfo().filter((one) => /Process|Timeout|Worker/.test(one));
  const [before, folders, running] = [listeners(), await left(), active()];
  await once();
  expect(listeners()).toEqual(before);
  expect(await left()).toEqual(folders);
  expect(active()).toEqual(running);
});

test('what cannot be used is refused with a sentence before anything starts [sdk.invalid]', async () => {
  await using place = await openSdkPlace();
  const {cwd} = place;
  const tool = {name: 'x y', description: '', input: {type: 'object'}, run: () => ''};
  await writeFile(join(cwd, 'file'), '');
  for (const [options, message] of [
    [{}, 'The option cwd is missing.'],
    [{cwd: 'project'}, 'cwd must be an absolute path, not "project".'],
    [{cwd: join(cwd, 'none')}, `cwd cannot be "${join(cwd, 'none')}": it does not exist.`],
    [{cwd: join(cwd, 'file')}, `cwd must be a folder, which "${join(cwd, 'file')}" is not.`],
    [{cwd, tools: [tool]}, 'A tool cannot be named "x y".'],
    [{cwd, tools: [{...tool, name: 'x', input: undefined}]}, 'The tool x has no input schema.'],
    [{cwd, skills: ['skills']}, 'skills must be an absolute path, not "skills".'],
  ] as const)
    await expect(createAgent(options as never)).rejects.toMatchObject({code: 'SDK_INVALID', message});
  const untrusted = await place.agent({trusted: false});
  await expect(untrusted.session()).rejects.toMatchObject({
    code: 'FOLDER_UNTRUSTED',
    hint: expect.stringContaining('trusted: true') as unknown,
  });
  const session = await (await place.agent()).session();
  expect(() => session.send(' ')).toThrow('The prompt is empty.');
  const bad = session.send({text: 'x', schema: {type: 3}});
  await expect(bad.result()).rejects.toMatchObject({code: 'SDK_INVALID'});
  await expect(bad.result()).rejects.toThrow('already read');
  await expect((await place.agent()).session({id: 'none'})).rejects.toMatchObject({code: 'SESSION_UNKNOWN'});
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\n');
});
