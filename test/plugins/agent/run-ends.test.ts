import {spawn} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {findViolations} from '@gemini-kernel/kernel/host';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {checkout} from '../../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';
import {isolate} from '../../helpers/run-gemini.js';

type Fields = Readonly<Record<string, unknown>>;

const schema = JSON.parse(
  await readFile(join(checkout, 'manifests', 'schemas', 'output.schema.json'), 'utf8'),
) as Fields;
const formats = ['json', 'stream-json'] as const;
const stalling: ScriptedAnswer = {
  pieces: [
    {kind: 'text', text: 'I will'},
    {kind: 'text', text: ' never end'},
  ],
  stall: {afterPieces: 1},
};
const reads = callsTools(['read_file', {file_path: 'a.txt'}]);
const prices = {model: {prices: {'model-a': {input: 100_000, output: 0}}}};

/** The result of a run: the object, or the last event; every line fits the published schema. */
async function resultOf(stdout: string, format: string): Promise<Fields> {
  const lines = format === 'json' ? [stdout] : stdout.trim().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Fields);
  for (const one of all) expect(await findViolations(schema, one, format)).toEqual([]);
  return all.at(-1) ?? {};
}

interface End {
  readonly script: Script;
  readonly words?: readonly string[];
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly exit: number;
  readonly outcome: string;
  readonly code: string;
}

const ends: Readonly<Record<string, End>> = {
  'turns that are used up': {
    script: () => reads,
    words: ['--max-turns', '2'],
    exit: 53,
    outcome: 'limit',
    code: 'TURNS_EXHAUSTED',
  },
  'a cost that is reached': {
    script: () => reads,
    words: ['--max-cost', '1.5'],
    settings: prices,
    exit: 53,
    outcome: 'limit',
    code: 'COST_EXHAUSTED',
  },
  'a price that is not known': {
    script: [],
    words: ['--max-cost', '1'],
    exit: 42,
    outcome: 'failed',
    code: 'COST_UNKNOWN',
  },
  'time that is used up': {
    script: [stalling],
    words: ['--timeout', '1500ms'],
    exit: 53,
    outcome: 'limit',
    code: 'TIME_EXHAUSTED',
  },
  'a loop': {script: () => reads, exit: 57, outcome: 'loop', code: 'MODEL_LOOPING'},
  'a refused call': {
    script: [callsTools(['write_file', {file_path: 'b', content: 'b'}]), says('No.')],
    words: ['--fail-on-refused'],
    exit: 56,
    outcome: 'refused',
    code: 'CALLS_REFUSED',
  },
  'a quota': {script: [{refusal: {status: 429, quota: 'day'}}], exit: 60, outcome: 'failed', code: 'MODEL_QUOTA'},
  'a service that cannot answer': {
    script: () => ({refusal: {status: 503}}),
    exit: 61,
    outcome: 'failed',
    code: 'MODEL_OVERLOADED',
  },
  'a connection that breaks': {
    script: () => ({...says('x'), cut: {afterPieces: 0, by: 'reset'}}),
    exit: 62,
    outcome: 'failed',
    code: 'MODEL_UNREACHABLE',
  },
  'a blocked answer': {script: [{end: 'blocked'}], exit: 59, outcome: 'failed', code: 'MODEL_BLOCKED'},
};

describe.each(formats)('with -o %s', (format) => {
  test.each(Object.entries(ends))(
    '%s has its own outcome, code and exit code [headless.outcome] [headless.limits] [headless.schemas]',
    async (_, end) => {
      const {script, words = [], settings = {}, exit, outcome, code} = end;
      await using place = await openAgentPlace({files: {'a.txt': 'alpha\n'}, script, settings});
      const {code: ended, stdout} = await place.run(['-m', 'model-a', '-p', 'go', '-o', format, ...words]);
      const result = await resultOf(stdout, format);
      expect({ended, ...result}).toMatchObject({
        ended: exit,
        status: 'error',
        outcome,
        error: {type: 'KernelError', code, exit},
      });
    },
  );

  test('what changed, what was refused and what it cost stand in the result [headless.changed]', async () => {
    const work = callsTools(
      ['write_file', {file_path: 'src/b.txt', content: 'b\n'}],
      ['replace', {file_path: 'a.txt', instruction: 'x', old_string: 'alpha', new_string: 'beta'}],
      ['replace', {file_path: 'a.txt', instruction: 'x', old_string: 'beta', new_string: 'gamma'}],
      ['run_shell_command', {command: 'rm a.txt'}],
    );
    await using place = await openAgentPlace({
      files: {'a.txt': 'alpha\n'},
      script: [work, says('Done.')],
      settings: prices,
    });
    const {code, stdout} = await place.run(['-m', 'model-a', '-p', 'go', '-o', format, '--approval-mode', 'auto_edit']);
    expect({code, ...(await resultOf(stdout, format))}).toMatchObject({
      code: 0,
      status: 'success',
      outcome: 'done',
      cost: 2,
      changed_files: ['src/b.txt', 'a.txt'],
      warnings: [],
      usage: {requests: 2, input_tokens: 20, output_tokens: 4, total_tokens: 24},
      refused: [{tool_name: 'run_shell_command', parameters: {command: 'rm a.txt'}, reason: expect.any(String)}],
    });
  });
});

test('files that a command changed are listed too, and those that it left as they were are not [headless.changed]', async () => {
  const work = callsTools(
    ['run_shell_command', {command: 'echo made > made.txt; cat a.txt'}],
    ['write_file', {file_path: '../outside.txt', content: 'x'}],
  );
  await using place = await openAgentPlace({files: {'a.txt': 'alpha\n'}, script: [work, says('Done.')]});
  const {stdout} = await place.run(['-m', 'model-a', '-p', 'go', '-o', 'json', '--yolo']);
  expect((await resultOf(stdout, 'json'))['changed_files']).toEqual(['made.txt']);
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

/** Sends a signal as soon as the program has printed something that matches, or has asked the model. */
function interrupt(
  place: AgentPlace,
  words: readonly string[],
  {signal, at}: {signal: NodeJS.Signals; at?: RegExp},
): Promise<Ended> {
  const variables = {GEMINI_API_KEY: 'a-key-of-gemini', GOOGLE_GEMINI_BASE_URL: place.server.url};
  const argv = [join(checkout, 'bin', 'gemini.cjs'), '-m', 'model-a', '-p', 'go', ...words];
  const child = spawn(process.execPath, argv, {
    cwd: place.project,
    env: isolate(place.home, variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr, isSent] = ['', '', false];
  const look = (): void => {
    const isTime = at ? at.test(stdout + stderr) : place.server.requests.length > 0;
    if (!isSent && isTime) isSent = child.kill(signal);
  };
  const timer = setInterval(look, 20);
  child.stdout.on('data', (chunk: Buffer) => ((stdout += chunk.toString()), look()));
  child.stderr.on('data', (chunk: Buffer) => ((stderr += chunk.toString()), look()));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearInterval(timer);
      resolve({code, stdout});
    });
  });
}

describe('a signal [headless.outcome] [signals.end]', () => {
  const endings = [
    ['SIGINT', 130, 'RUN_INTERRUPTED'],
    ['SIGTERM', 143, 'RUN_TERMINATED'],
    ['SIGHUP', 129, 'RUN_HUNG_UP'],
  ] as const;

  test.each(endings)(
    '%s while the model speaks ends with %i and the result [headless.outcome]',
    async (signal, exit, code) => {
      await using place = await openAgentPlace({script: [stalling]});
      const ended = await interrupt(place, ['-o', 'stream-json'], {signal, at: /I will/});
      const result = await resultOf(ended.stdout, 'stream-json');
      expect({ended: ended.code, ...result}).toMatchObject({
        ended: exit,
        status: 'error',
        outcome: 'interrupted',
        error: {code, exit},
      });
    },
  );

  test('SIGTERM while a command runs: the call does not say that the person cancelled it [headless.outcome]', async () => {
    const script = [callsTools(['run_shell_command', {command: 'sleep 30'}])];
    await using place = await openAgentPlace({script});
    const ended = await interrupt(place, ['-o', 'stream-json', '--yolo'], {signal: 'SIGTERM', at: /tool_use/});
    const events = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields);
    expect(ended.code).toBe(143);
    expect(events.find(({type}) => type === 'tool_result')).toMatchObject({
      status: 'error',
      error: {type: 'RUN_TERMINATED', message: expect.stringContaining('SIGTERM ended this command')},
    });
    expect(ended.stdout).not.toContain('person cancelled');
    expect(await resultOf(ended.stdout, 'stream-json')).toMatchObject({
      outcome: 'interrupted',
      error: {code: 'RUN_TERMINATED', exit: 143},
    });
  });

  test(
    'SIGTERM while a command runs that does not listen to it: the result is written all the ' +
      'same [headless.outcome]',
    async () => {
      const script = [callsTools(['run_shell_command', {command: 'trap "" TERM INT HUP; sleep 30; sleep 30'}])];
      await using place = await openAgentPlace({script});
      const ended = await interrupt(place, ['-o', 'stream-json', '--yolo'], {signal: 'SIGTERM', at: /tool_use/});
      expect(await resultOf(ended.stdout, 'stream-json')).toMatchObject({
        type: 'result',
        outcome: 'interrupted',
        error: {code: 'RUN_TERMINATED', exit: 143},
      });
    },
  );

  test('SIGTERM in the json format leaves one whole object [headless.outcome]', async () => {
    await using place = await openAgentPlace({script: [{...says('x'), stall: 'headers'}]});
    const ended = await interrupt(place, ['-o', 'json'], {signal: 'SIGTERM'});
    const result = await resultOf(ended.stdout, 'json');
    expect({ended: ended.code, ...result}).toMatchObject({
      ended: 143,
      outcome: 'interrupted',
      error: {code: 'RUN_TERMINATED', exit: 143},
    });
  });
});

test('a bug, a wrong flag and a command of its own give their error in one form [headless.schemas]', async () => {
  await using place = await openAgentPlace();
  const lines = [
    ['-p', 'go', '-o', 'stream-json', '--frobnicate'],
    ['-p', 'go', '-o=json', '--frobnicate'],
    ['settings', 'get', 'no.such.key', '--json'],
  ];
  for (const words of lines) {
    const {code, stdout} = await place.run(words);
    const {error} = await resultOf(stdout, 'json');
    expect(error).toMatchObject({
      type: expect.any(String),
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.any(String),
      exit: code,
    });
  }
});

test.each([
  ['--max-turns', '0'],
  ['--max-turns', 'many'],
  ['--max-cost', '-1'],
  ['--max-cost', '0'],
  ['--timeout', '5 years'],
  ['--timeout', '0'],
  ['--timeout', '9999h'],
])('%s %s is refused with what it takes, LIMIT_INVALID [headless.limits]', async (flag, value) => {
  await using place = await openAgentPlace();
  const {code, stdout} = await place.run(['-p', 'go', '-o', 'json', `${flag}=${value}`]);
  expect({code, error: (await resultOf(stdout, 'json'))['error']}).toMatchObject({
    code: 42,
    error: {code: 'LIMIT_INVALID', message: expect.stringContaining(flag), exit: 42},
  });
  expect(place.server.requests).toEqual([]);
});
