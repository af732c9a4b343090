import {spawn} from 'node:child_process';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {openAgentPlace, says} from '../helpers/run-agent.js';
import {checkout} from '../helpers/plugin-root.js';
import {isolate, type RunResult} from '../helpers/run-gemini.js';
import {onLinux} from '../helpers/where.js';

const fine = says('Fine.');
const huge = JSON.stringify({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({length: 2000}, (_, index) => [`p${index}`, {type: 'string', description: 'x'.repeat(50)}]),
  ),
});
const files = {
  'broken.json': '{"type": ',
  'list.json': '[]',
  'kind.json': '{"type": "objekt"}',
  'lost.json': '{"$ref": "#/definitions/gone"}',
  'away.json': '{"$ref": "http://schemas.invalid/x.json"}',
  'huge.json': huge,
};
const prompt = ['-p', 'go'] as const;

interface Failure {
  readonly words: readonly string[];
  readonly code: number;
  readonly type: string;
  /** In the sentence or its hint. */
  readonly says: RegExp;
  /** How often the model is asked before; not at all unless stated. */
  readonly requests?: number;
}

const failures: Readonly<Record<string, Failure>> = {
  'an empty prompt': {words: ['-p', ''], code: 42, type: 'PROMPT_EMPTY', says: /no prompt.*-p "…"/},
  'a prompt of spaces': {words: ['-p', ' \n\t '], code: 42, type: 'PROMPT_EMPTY', says: /no prompt/},
  'a provider that is not there': {
    words: [...prompt, '-m', 'opnai:x'],
    code: 42,
    type: 'MODEL_UNKNOWN',
    says: /no provider opnai.*openai:x/,
  },
  'a name of nothing': {
    words: [...prompt, '-m', ':'],
    code: 42,
    type: 'MODEL_UNKNOWN',
    says: /does not name a model.*provider:model/,
  },
  'a recording that is not there': {
    words: [...prompt, '-m', 'replay:gone.jsonl'],
    code: 42,
    type: 'RECORDING_UNREADABLE',
    says: /gone\.jsonl.*--record-responses/,
  },
  'a recording to nowhere': {
    words: [...prompt, '--record-responses', 'gone/r.jsonl'],
    code: 42,
    type: 'RECORDING_UNWRITABLE',
    says: /gone.*r\.jsonl/,
  },
  'a directory that is not there': {
    words: [...prompt, '--include-directories', 'gone'],
    code: 42,
    type: 'DIRECTORY_MISSING',
    says: /--include-directories.*gone/,
  },
  'rules that are not there': {
    words: [...prompt, '--policy', 'gone.toml'],
    code: 42,
    type: 'POLICY_UNREADABLE',
    says: /--policy.*gone\.toml/,
  },
  'a schema that is not there': {
    words: [...prompt, '--output-schema', 'gone.json'],
    code: 42,
    type: 'SCHEMA_UNREADABLE',
    says: /gone\.json/,
  },
  'a schema that is no JSON': {
    words: [...prompt, '--output-schema', 'broken.json'],
    code: 42,
    type: 'SCHEMA_UNREADABLE',
    says: /broken\.json/,
  },
  'a schema that is a list': {
    words: [...prompt, '--output-schema', 'list.json'],
    code: 42,
    type: 'SCHEMA_UNREADABLE',
    says: /not an object/,
  },
  'a schema of an unknown type': {
    words: [...prompt, '--output-schema', 'kind.json'],
    code: 42,
    type: 'SCHEMA_UNREADABLE',
    says: /objekt/,
  },
  'a schema that leads nowhere': {
    words: [...prompt, '--output-schema', 'lost.json'],
    code: 42,
    type: 'SCHEMA_UNREADABLE',
    says: /definitions\/gone/,
  },
  'a schema from elsewhere': {
    words: [...prompt, '--output-schema', 'away.json'],
    code: 42,
    type: 'SCHEMA_UNREADABLE',
    says: /schemas\.invalid/,
  },
  'a directory in the place of a schema': {
    words: [...prompt, '--output-schema', '.'],
    code: 42,
    type: 'SCHEMA_UNREADABLE',
    says: /directory/i,
  },
};

/** Words that no run begins with. */
const misused: Readonly<Record<string, Failure>> = {
  'an unknown flag': {words: [...prompt, '--frobnicate'], code: 1, type: 'USAGE', says: /frobnicate/},
  'a prompt without words': {words: ['-p'], code: 1, type: 'USAGE', says: /--prompt/},
  'an unknown mode': {words: [...prompt, '--approval-mode', 'autoEdit'], code: 1, type: 'USAGE', says: /auto_edit/},
  'two modes': {words: [...prompt, '--yolo', '--approval-mode', 'plan'], code: 1, type: 'USAGE', says: /--yolo/},
  'two prompts': {words: [...prompt, 'there'], code: 1, type: 'PROMPT_TWICE', says: /--prompt/},
  'a conversation without a terminal': {words: ['-i', 'go'], code: 42, type: 'TERMINAL_NEEDED', says: /terminal/},
};

async function fail({words}: Failure, format: string): Promise<RunResult & {readonly requests: number}> {
  await using place = await openAgentPlace({files, script: () => fine});
  return {...(await place.run([...words, '-o', format])), requests: place.server.requests.length};
}

/** The error that a program finds on standard output. */
function errorOf(stdout: string, format: string): Readonly<Record<string, unknown>> | undefined {
  const last = format === 'json' ? stdout : (stdout.trim().split('\n').at(-1) ?? '');
  return (JSON.parse(last) as {error?: Record<string, unknown>}).error;
}

describe.each(['json', 'stream-json'])('with -o %s', (format) => {
  test.each(Object.entries(failures))(
    '%s is an error on standard output, with its code and what to do [headless.formats] [headless.exit-codes]',
    async (_, failure) => {
      const {code, stdout, stderr} = await fail(failure, format);
      const {message, hint, ...error} = errorOf(stdout, format) ?? {};
      expect({code, error}).toEqual({
        code: failure.code,
        error: {type: 'KernelError', code: failure.type, exit: failure.code},
      });
      expect(`${String(message)} ${String(hint)}`).toMatch(failure.says);
      expect(stderr).not.toMatch(/ {4}at /);
    },
  );

  test.each(Object.entries(misused))('%s is an error on standard output too [headless.formats]', async (_, failure) => {
    const {stdout} = await fail(failure, format);
    expect(errorOf(stdout, format)).toMatchObject({exit: failure.code, message: expect.stringMatching(failure.says)});
  });
});

test.each(Object.entries({...failures, ...misused}))(
  '%s is said in words a person can act on, and no request is sent in vain [headless.exit-codes]',
  async (_, failure) => {
    const {code, stdout, stderr, requests} = await fail(failure, 'text');
    expect({code, stdout, requests}).toEqual({
      code: failure.code,
      stdout: failure.requests ? 'Fine.\n' : '',
      requests: failure.requests ?? 0,
    });
    expect(stderr.replaceAll('\n', ' ')).toMatch(failure.says);
    expect(stderr).not.toMatch(/ {4}at |undefined|\[object/);
  },
);

describe('what is odd and yet fine [headless.prompt]', () => {
  test('a prompt with control characters reaches the model as it is, and no terminal', async () => {
    await using place = await openAgentPlace({script: () => fine});
    const input = 'a\0b\u001b[31mred\u001b]0;title\u0007';
    const {code, stdout, stderr} = await place.run(['-p', 'go'], {input});
    expect({code, stdout, stderr}).toEqual({code: 0, stdout: 'Fine.\n', stderr: ''});
    expect(place.server.requests[0]?.messages[0]?.pieces.at(-1)).toEqual({kind: 'text', text: `${input}\n\ngo`});
  });

  test('a prompt of five megabytes is sent whole, or said to be too long before anybody is asked', async () => {
    await using place = await openAgentPlace({script: () => fine});
    const input = 'word '.repeat(1_000_000);
    expect(await place.run(['-p', 'go', '-m', 'model-a'], {input})).toEqual({code: 0, stdout: 'Fine.\n', stderr: ''});
    const known = await place.run(['-p', 'go', '-m', 'gemini-2.5-pro'], {input});
    expect([known.code, known.stderr]).toEqual([
      1,
      expect.stringMatching(/has about \d+ tokens, and the limit of gemini-2\.5-pro is 1048576\. It was not sent\./),
    ]);
    expect(place.server.requests).toHaveLength(1);
  });

  test('a large schema is sent', async () => {
    await using place = await openAgentPlace({files, script: () => says('{"p1": "x"}')});
    expect(await place.run(['-p', 'go', '--output-schema', 'huge.json'])).toEqual({
      code: 0,
      stdout: '{"p1": "x"}\n',
      stderr: '',
    });
  });

  test('two runs at once in one folder do not disturb each other', async () => {
    await using place = await openAgentPlace({script: () => fine});
    const both = await Promise.all([place.run(['-p', 'one']), place.run(['-p', 'two'])]);
    expect(both).toEqual([
      {code: 0, stdout: 'Fine.\n', stderr: ''},
      {code: 0, stdout: 'Fine.\n', stderr: ''},
    ]);
  });

  onLinux.each(['text', 'json', 'stream-json'])(
    'an output as %s that finds the disk full is said, and the run ends with 1',
    async (format) => {
      await using place = await openAgentPlace({script: () => fine});
      const full = await open('/dev/full', 'w');
      const variables = {GEMINI_API_KEY: 'a-key-of-gemini', GOOGLE_GEMINI_BASE_URL: place.server.url};
      const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), '-p', 'go', '-o', format], {
        cwd: place.project,
        env: isolate(place.home, variables),
        stdio: ['ignore', full.fd, 'pipe'],
      });
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const code = await new Promise((resolve) => child.on('close', resolve));
      await full.close();
      expect({code, stderr}).toEqual({code: 1, stderr: expect.stringContaining('no space left on device')});
    },
  );
});
