import {spawn} from 'node:child_process';
import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate, runGemini, type RunResult} from '../../helpers/run-gemini.js';
import type {ScriptedServer} from '../../helpers/scripted-server.js';

const say = (...texts: readonly string[]): ScriptedAnswer => ({
  pieces: texts.map((text) => ({kind: 'text', text})),
  usage: {input: 10, output: 2, cached: 4, total: 12},
});
const read: ScriptedAnswer = {
  pieces: [
    {kind: 'text', text: 'Looking.'},
    {kind: 'call', id: 'r1', name: 'read_file', input: {file_path: 'a.txt'}},
  ],
  usage: {input: 10, output: 2, total: 12},
};
const write: ScriptedAnswer = {
  pieces: [{kind: 'call', id: 'w1', name: 'write_file', input: {file_path: 'a.txt', content: 'new'}}],
};

let root: string;
let project: string;
let home: string;
let server: ScriptedServer;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-headless-')));
  [project, home] = [join(root, 'project'), join(root, 'home')];
  await mkdir(project);
  await mkdir(join(home, '.gemini'), {recursive: true});
  await writeFile(join(project, 'a.txt'), 'alpha\n');
  await writeFile(
    join(home, '.gemini', 'settings.json'),
    JSON.stringify({model: {retryDelay: 1, fallback: []}, general: {maxAttempts: 2}}),
  );
  server = await startGeminiServer();
});

afterEach(async () => {
  await server.close();
  await rm(root, {recursive: true, force: true});
});

const variables = (): Record<string, string> => ({GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: server.url});
const run = (args: readonly string[], input?: string): Promise<RunResult> =>
  runGemini(args, {cwd: project, home, variables: variables(), ...(input === undefined ? {} : {input})});
const events = ({stdout}: RunResult): readonly Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('what is asked [headless.prompt]', () => {
  test.each([
    ['-p', ['-p', 'go now']],
    ['--prompt', ['--prompt=go now']],
    ['words', ['go', 'now']],
    ['the name of the command', ['chat', 'go', 'now']],
    ['words behind flags', ['--approval-mode', 'plan', 'go', 'now']],
  ])('the prompt is given by %s', async (_, args) => {
    server.script([say('Fine.')]);
    expect(await run(args)).toEqual({code: 0, stdout: 'Fine.\n', stderr: ''});
    expect(server.requests[0]?.messages[0]?.pieces.at(-1)).toEqual({kind: 'text', text: 'go now'});
  });

  test('standard input comes before the prompt', async () => {
    server.script([say('Fine.')]);
    await run(['-p', 'explain'], 'a diff\n');
    expect(server.requests[0]?.messages[0]?.pieces.at(-1)).toEqual({kind: 'text', text: 'a diff\n\n\nexplain'});
  });

  test('standard input alone is a prompt, and more than 8 MiB of it is cut between characters', async () => {
    server.script([say('Fine.')]);
    const {stderr} = await run(['-p', 'x', '-m', 'unknown-model'], '漢'.repeat(3 * 1024 * 1024));
    expect(stderr).toContain('more than 8 MiB');
    const text = server.requests[0]?.messages[0]?.pieces.at(-1);
    expect(
      text?.kind === 'text' && /^漢+\n\nx$/.test(text.text) && Buffer.byteLength(text.text) < 8 * 1024 * 1024 + 10,
    ).toBe(true);
  });

  test.each([
    ['no prompt', [], 42, /There is no prompt/],
    ['a prompt twice', ['-p', 'a', 'b'], 1, /two prompts/],
    ['two ways to begin', ['-p', 'a', '-i', 'b'], 1, /prompt-interactive/],
    ['a conversation without a terminal', ['-i', 'a'], 42, /needs a terminal/],
    ['an unknown format', ['-p', 'a', '-o', 'xml'], 1, /xml|text, json/],
    ['a schema that is not there', ['-p', 'a', '--output-schema', 'gone.json'], 42, /gone\.json/],
    ['a model of an unknown provider', ['-p', 'a', '-m', 'missing:x'], 42, /no provider missing/],
    ['a slip of the finger', ['directry', 'add', '../lib'], 127, /Did you mean gemini directory add/],
  ])('%s is reported, and no model is asked [headless.exit-codes]', async (_, args, code, pattern) => {
    const result = await run(args, '');
    expect([result.code, pattern.test(result.stderr)]).toEqual([code, true]);
    expect(server.requests).toEqual([]);
  });
});

test.each([
  ['PROMPT_EMPTY', ['-p', ' ']],
  ['PROMPT_TWICE', ['-p', 'a', 'b']],
  ['TERMINAL_NEEDED', ['-i', 'a']],
  ['SCHEMA_UNREADABLE', ['-p', 'a', '--output-schema', 'a.txt']],
  ['MODEL_UNKNOWN', ['-p', 'a', '-m', 'missing:x']],
])('%s is an object on standard output for programs [headless.formats]', async (code, args) => {
  const {error} = JSON.parse((await run([...args, '-o', 'json'], '')).stdout) as {error: {code: string}};
  expect(error.code).toBe(code);
});

test('gemini sessions resume says how a shell resumes a session', async () => {
  const {code, stdout} = await run(['sessions', 'resume', '1', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([42, {error: {code: 'RESUME_NEEDS_CONVERSATION'}}]);
});

test.each([['stats'], ['compress'], ['model', 'flash'], ['clear']])(
  'gemini %s says that it belongs into a conversation',
  async (...args) => {
    const {code, stdout} = await run([...args, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([42, {error: {code: 'CONVERSATION_NEEDED'}}]);
  },
);

describe('the three formats [headless.formats]', () => {
  test('text is what the model says, one message per line; the rest is on standard error', async () => {
    server.script([read, {refusal: {status: 503}}, say('It says', ' alpha.')]);
    const {code, stdout, stderr} = await run(['-p', 'go']);
    expect([code, stdout]).toEqual([0, 'Looking.\nIt says alpha.\n']);
    expect(stderr).toMatch(/answered 503.*Trying again in 1 s \(2 of 2\)/);
  });

  test('text has no terminal control, unless it is asked for', async () => {
    server.script(() => say('\u001b[31mred\u001b', '[0m\u0007'));
    expect((await run(['-p', 'go'])).stdout).toBe('red\n');
    const raw = await run(['-p', 'go', '--raw-output']);
    expect([raw.stdout, raw.stderr]).toEqual([
      '\u001b[31mred\u001b[0m\u0007\n',
      'Warning: with --raw-output, the model can control your terminal.\n',
    ]);
    expect((await run(['-p', 'go', '--raw-output', '--accept-raw-output-risk'])).stderr).toBe('');
  });

  test('json is one object, with refused calls and their reasons', async () => {
    server.script([read, write, say('Not allowed.')]);
    const {code, stdout} = await run(['-p', 'go', '-o', 'json']);
    const {
      session_id: id,
      stats,
      ...rest
    } = JSON.parse(stdout) as {
      session_id: string;
      stats: {models: Record<string, {tokens: object}>; tools: {byName: object}; files: object};
    };
    expect(code).toBe(0);
    expect(stdout.endsWith('}')).toBe(true);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const refused = [
      {
        tool_name: 'write_file',
        tool_id: 'write_file__w1',
        parameters: {file_path: 'a.txt', content: 'new'},
        reason: expect.stringContaining('It needs your approval, and this run cannot ask you'),
      },
    ];
    const usage = {
      requests: 3,
      input_tokens: 20,
      output_tokens: 4,
      cached_tokens: 4,
      thought_tokens: 0,
      tool_tokens: 0,
      total_tokens: 24,
    };
    expect(rest).toEqual({
      status: 'success',
      outcome: 'done',
      response: 'Not allowed.',
      usage,
      changed_files: [],
      refused,
      warnings: [],
    });
    expect(Object.values(stats.models)[0]?.tokens).toEqual({
      input: 16,
      prompt: 20,
      candidates: 4,
      total: 24,
      cached: 4,
      thoughts: 0,
      tool: 0,
    });
    expect(Object.keys(stats.tools.byName)).toEqual(['read_file', 'write_file']);
    expect(stats.files).toEqual({totalLinesAdded: 0, totalLinesRemoved: 0});
  });

  test.each(['text', 'json', 'stream-json'])('notices are reported by %s [notices.stream]', async (format) => {
    await writeFile(
      join(home, '.gemini', 'settings.json'),
      JSON.stringify({model: {retryDelay: 1, fallback: ['replay:no-such-file']}, ui: {hideTips: 'perhaps'}}),
    );
    // Where sessions are kept; the first change of the conversation finds it.
    await writeFile(join(home, '.gemini', 'tmp'), 'a file in the place of the folder');
    server.script([say('Fine.')]);
    const result = await run(['-p', 'go', '-o', format]);
    const lines = result.stderr.split('\n').filter((line) => line.startsWith('Warning: '));
    const sentences = [
      expect.stringMatching(/hideTips.*perhaps.*used all the same/),
      expect.stringContaining('This conversation is not recorded'),
    ];
    // Once the stream has begun, it alone carries notices.
    expect(lines).toEqual(format === 'stream-json' ? sentences.slice(0, 1) : sentences);
    if (format === 'json') expect(JSON.parse(result.stdout)).toMatchObject({warnings: sentences});
    if (format !== 'stream-json') return;
    const told = events(result).filter(({code}) => code !== undefined);
    expect(told.map(({timestamp: _, ...event}) => event)).toEqual(
      ['SETTINGS_FAULT', 'CONVERSATION_NOT_RECORDED'].map((code, index) => ({
        ...{type: 'error', severity: 'warning', code},
        message: sentences[index],
      })),
    );
    expect(events(result)[0]).toMatchObject({type: 'init'});
    expect(events(result).at(-1)).toMatchObject({type: 'result', warnings: sentences});
  });

  test('stream-json is one event per line, in order', async () => {
    server.script([read, say('It says', ' alpha.')]);
    const all = events(await run(['-p', 'go', '-o', 'stream-json']));
    expect(all.every(({timestamp}) => !Number.isNaN(Date.parse(String(timestamp))))).toBe(true);
    expect(all.map(({timestamp: _, ...event}) => event)).toEqual([
      {type: 'init', session_id: expect.any(String), model: 'auto'},
      {type: 'message', role: 'user', content: 'go'},
      {type: 'message', role: 'assistant', content: 'Looking.', delta: true},
      {type: 'tool_use', tool_name: 'read_file', tool_id: 'read_file__r1', parameters: {file_path: 'a.txt'}},
      {type: 'tool_result', tool_id: 'read_file__r1', status: 'success', output: expect.stringContaining('line')},
      {type: 'message', role: 'assistant', content: 'It says', delta: true},
      {type: 'message', role: 'assistant', content: ' alpha.', delta: true},
      {
        type: 'result',
        session_id: all[0]?.['session_id'],
        status: 'success',
        outcome: 'done',
        changed_files: [],
        refused: [],
        warnings: [],
        usage: expect.objectContaining({requests: 2, total_tokens: 24}),
        stats: expect.objectContaining({
          total_tokens: 24,
          input_tokens: 20,
          output_tokens: 4,
          cached: 4,
          input: 16,
          tool_calls: 1,
        }),
      },
    ]);
  });

  test.each(['text', 'json', 'stream-json'])(
    'a failure in %s ends with its exit code, and programs find it on standard output',
    async (format) => {
      server.script([{refusal: {status: 401, message: 'API key not valid'}}]);
      const result = await run(['-p', 'go', '-o', format]);
      expect(result.code).toBe(41);
      const last =
        format === 'json'
          ? (JSON.parse(result.stdout) as {error: object})
          : format === 'stream-json'
            ? events(result).at(-1)
            : undefined;
      if (format === 'text') expect([result.stdout, result.stderr]).toEqual(['', expect.stringContaining('401')]);
      else
        expect(last).toMatchObject({
          error: {
            type: 'KernelError',
            code: 'MODEL_AUTH',
            exit: 41,
            status: 401,
            message: expect.stringContaining('401'),
          },
        });
    },
  );

  test.each(['json', 'stream-json'])('what keeps a run from beginning is an error in %s too', async (format) => {
    const {code, stdout} = await runGemini(['-p', 'go', '-o', format], {
      cwd: project,
      home,
      variables: {...variables(), GEMINI_CLI_TRUST_WORKSPACE: 'false'},
    });
    expect(code).toBe(55);
    expect(JSON.parse(stdout)).toMatchObject({error: {code: 'FOLDER_UNTRUSTED', exit: 55}});
  });

  test('an answer of the form of a schema is the whole response', async () => {
    await writeFile(
      join(project, 's.json'),
      JSON.stringify({type: 'object', required: ['n'], properties: {n: {type: 'integer'}}}),
    );
    server.script([say('```json\n{"n": 1}\n```')]);
    expect(JSON.parse((await run(['-p', 'go', '-o', 'json', '--output-schema', 's.json'])).stdout)).toMatchObject({
      response: '{"n": 1}',
      structured: {n: 1},
    });
    server.script([say('one'), say('two')]);
    const second = await run(['-p', 'go', '-o', 'json', '--output-schema', 's.json']);
    expect([second.code, JSON.parse(second.stdout)]).toEqual([
      58,
      expect.objectContaining({response: 'two', error: expect.objectContaining({code: 'ANSWER_MISFIT'})}),
    ]);
  });

  test('the turns of a session end with 53', async () => {
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({model: {maxSessionTurns: 1}}));
    server.script([read]);
    const {code, stdout} = await run(['-p', 'go', '-o', 'json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      53,
      expect.objectContaining({outcome: 'limit', error: expect.objectContaining({code: 'TURNS_EXHAUSTED'})}),
    ]);
  });
});

test('a prompt that is a slash command runs it, and no model is asked [headless.slash]', async () => {
  const {code, stdout} = await run(['-p', '/directory show']);
  expect([code, stdout.includes(project)]).toEqual([0, true]);
  expect(server.requests).toEqual([]);
});

describe('the end [headless.signals]', () => {
  async function interrupt(signal: NodeJS.Signals): Promise<{code: number | null; stdout: string}> {
    server.script([
      {
        pieces: [
          {kind: 'text', text: 'I will'},
          {kind: 'text', text: ' never end'},
        ],
        stall: {afterPieces: 1},
      },
    ]);
    const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), '-p', 'go'], {
      cwd: project,
      env: isolate(home, variables()),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stdout.once('data', () => child.kill(signal));
    return new Promise((resolve) => child.on('close', (code) => resolve({code, stdout})));
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s stops a run at once, with %i', async (signal, code) => {
    expect(await interrupt(signal)).toEqual({code, stdout: 'I will\n'});
    expect(await server.requests[0]?.end).toBe('left');
  });

  test('a reader who leaves ends it with 0, and the model is not listened to any longer', async () => {
    server.script([
      {
        pieces: Array.from({length: 2000}, (_, index) => ({
          kind: 'text' as const,
          text: `- line ${index} ${'x'.repeat(200)}\n`,
        })),
        pauseMs: 1,
      },
    ]);
    const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), '-p', 'go'], {
      cwd: project,
      env: isolate(home, variables()),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, stderr]).toEqual([0, '']);
    expect(await server.requests[0]?.end).toBe('left');
  });

  test('standard input that never comes is not waited for', async () => {
    server.script([say('Fine.')]);
    const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), '-p', 'go'], {
      cwd: project,
      env: isolate(home, variables()),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
  });
});

test('a recording plays a run back, and one that is too short is said [replay.exact]', async () => {
  server.script([read, say('It says', ' alpha.')]);
  const first = await run(['-p', 'go', '--record-responses', 'r.jsonl', '-o', 'stream-json']);
  const second = await run(['-p', 'go', '-m', 'replay:r.jsonl', '-o', 'stream-json']);
  const third = await run(['-p', 'go', '--fake-responses', 'r.jsonl', '-o', 'stream-json']);
  const shape = (result: RunResult): unknown =>
    events(result)
      .slice(1, -1)
      .map(({timestamp: _, ...event}) => event);
  expect([shape(second), shape(third)]).toEqual([shape(first), shape(first)]);
  expect(server.requests).toHaveLength(2);
  const lines = (await readFile(join(project, 'r.jsonl'), 'utf8')).trim().split('\n');
  await writeFile(join(project, 'short.jsonl'), `${lines[0] ?? ''}\n`);
  const short = await run(['-p', 'go', '-m', 'replay:short.jsonl']);
  expect([short.code, short.stderr]).toEqual([1, expect.stringContaining('has 1 answers, and one more was asked for')]);
});
