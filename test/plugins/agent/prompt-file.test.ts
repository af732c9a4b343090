import {spawn, spawnSync} from 'node:child_process';
import {chmod, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';

const asked = (place: AgentPlace): unknown => place.server.requests[0]?.messages[0]?.pieces.at(-1);
const text = (value: string): object => ({kind: 'text', text: value});
const failure = (stdout: string): {code: string; message: string; hint: string} =>
  (JSON.parse(stdout) as {error: never}).error;
const fine = (): ReturnType<typeof says> => says('Fine.');

test.each<[string, string, readonly string[], string]>([
  ['its text', 'Hello there.\n', [], 'Hello there.'],
  [
    'arguments by number',
    '#!/usr/bin/env -S gemini -f\nFrom $1 to $2, and $1 again.',
    ['a b', 'c'],
    'From a b to c, and a b again.',
  ],
  ['all arguments', 'Do: $@.', ['a', 'b'], 'Do: a b.'],
  ['a tenth argument', '${10}$@', ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'ten'], 'ten1 2 3 4 5 6 7 8 9 ten'],
  ['what only looks like an argument', 'It costs \\$1, or $15, or $x.', [], 'It costs $1, or $15, or $x.'],
  ['arguments that look like places', '$1 $2', ['$2', '\\$1'], '$2 \\$1'],
  [
    'arguments that look like flags',
    'Say $1 and $2 and $3.',
    ['--yolo', '--help', '--list-sessions'],
    'Say --yolo and --help and --list-sessions.',
  ],
  ['a slash as it stands, not a command', '$1', ['/directory show'], '/directory show'],
  ['a head', '---\ndescription: x\nmax-turns: 3 # enough\n\n---\r\nGo.', [], 'Go.'],
])('a prompt file gives %s [headless.prompt-file]', async (_, content, given, prompt) => {
  await using place = await openAgentPlace({files: {'task.md': content}, script: [fine()]});
  expect(await place.run(['-m', 'model-a', '-f', 'task.md', ...given])).toEqual({
    code: 0,
    stdout: 'Fine.\n',
    stderr: '',
  });
  expect(asked(place)).toEqual(text(prompt));
});

test('standard input comes before it, and flags count when they stand before the file [headless.prompt-file]', async () => {
  await using place = await openAgentPlace({files: {'task.md': 'Explain $1.'}, script: [fine()]});
  const {code, stdout} = await place.run(['-m', 'model-a', '-o', 'json', '--prompt-file=task.md', '-o'], {
    input: 'a diff',
  });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, {response: 'Fine.'}]);
  expect(asked(place)).toEqual(text('a diff\n\nExplain -o.'));
});

test.each([
  ['approval-mode: yolo', 2],
  ['allowed-tools: run_shell_command', 2],
  ['skip-trust: true', 2],
  ['policy: mine.toml', 2],
  ['include-directories: /', 2],
  ['output-schema: /etc/passwd', 2],
  ['record-responses: out', 2],
  ['fake-responses: in', 2],
  ['raw-output: true', 2],
  ['admin-policy: a', 2],
  ['session-file: a', 2],
  ['resume: latest', 2],
  ['yolo: true', 2],
  ['model: --yolo', 2],
  ['model: replay:answers.jsonl', 2],
  ['fail-on-refused: false', 2],
  ['output-format: xml', 2],
  ['no colon', 2],
  ['max-turns:', 2],
  ['max-turns: 3\nmax-turns: 4', 3],
  ['__proto__: x', 2],
  ['constructor: x', 2],
])('a head with %j is refused with its line, PROMPT_FILE_INVALID [headless.prompt-file]', async (head, line) => {
  await using place = await openAgentPlace({files: {'task.md': `---\n${head}\n---\nGo.`}});
  const {code, stdout} = await place.run(['-o', 'json', '-f', 'task.md']);
  expect([code, failure(stdout)]).toMatchObject([
    42,
    {
      code: 'PROMPT_FILE_INVALID',
      message: expect.stringContaining(`Line ${line} of task.md`),
      hint: expect.stringContaining('max-turns'),
    },
  ]);
  expect(place.server.requests).toEqual([]);
});

test('a head sets the model, the format and limits, and what is typed counts more [headless.prompt-file]', async () => {
  const head = '---\nmodel: model-b\noutput-format: json\nmax-turns: 7\nfail-on-refused: true\n---\nGo.';
  await using place = await openAgentPlace({files: {'task.md': head}, script: [fine(), fine()]});
  expect(JSON.parse((await place.run(['-f', 'task.md'])).stdout)).toMatchObject({response: 'Fine.'});
  expect((await place.run(['-m', 'model-a', '-o', 'text', '-f', 'task.md'])).stdout).toBe('Fine.\n');
  expect(place.server.requests.map(({model}) => model)).toEqual(['model-b', 'model-a']);
});

test('a head lowers the limits of the settings and raises none [headless.prompt-file]', async () => {
  const turnsOf = async (head: number, setting: number): Promise<number> => {
    const script = (_: unknown, index: number): ReturnType<typeof says> => ({
      pieces: [{kind: 'call', name: 'read_file', input: {file_path: `${index}`}}],
    });
    await using place = await openAgentPlace({
      files: {'task.md': `---\nmax-turns: ${head}\n---\nGo.`},
      script,
      settings: {model: {maxSessionTurns: setting}},
    });
    expect((await place.run(['-m', 'model-a', '-f', 'task.md'])).code).toBe(53);
    return place.server.requests.length;
  };
  expect([await turnsOf(9, 2), await turnsOf(2, 9), await turnsOf(2, -1)]).toEqual([2, 2, 2]);
});

test.each<[string, string, readonly string[], string]>([
  ['too few arguments', 'Use $2.', ['a'], 'PROMPT_ARGUMENTS_WRONG'],
  ['arguments that it does not use', 'Use nothing.', ['a'], 'PROMPT_ARGUMENTS_WRONG'],
  ['one argument too many', 'Use $1.', ['a', 'b'], 'PROMPT_ARGUMENTS_WRONG'],
  ['nothing in it', '---\nmax-turns: 1\n---\n', [], 'PROMPT_EMPTY'],
  ['a head that is never closed', '---\nmax-turns: 1\n', [], 'PROMPT_FILE_INVALID'],
  ['binary content', 'a\0b', [], 'PROMPT_FILE_UNREADABLE'],
])('a prompt file with %s ends with 42 and a sentence [headless.prompt-file]', async (_, content, given, code) => {
  await using place = await openAgentPlace({files: {'task.md': content}});
  const ended = await place.run(['-o', 'json', '-f', 'task.md', ...given]);
  expect([ended.code, failure(ended.stdout)]).toMatchObject([42, {code, hint: expect.any(String)}]);
});

test('only a file is a prompt file, and a pipe does not delay the run: PROMPT_FILE_UNREADABLE [headless.prompt-file]', async () => {
  await using place = await openAgentPlace();
  await symlink('loop', join(place.project, 'loop'));
  expect(spawnSync('mkfifo', [join(place.project, 'pipe')]).status).toBe(0);
  await writeFile(join(place.project, 'latin'), Buffer.from([0x66, 0xfc, 0x72]));
  await writeFile(join(place.project, 'huge'), Buffer.alloc(8 * 1024 * 1024 + 1, 97));
  for (const path of ['gone.md', '.', 'loop', 'pipe', 'latin', 'huge']) {
    const {code, stdout} = await place.run(['-o', 'json', '-f', path]);
    expect({path, code, error: failure(stdout)}).toMatchObject({
      path,
      code: 42,
      error: {code: 'PROMPT_FILE_UNREADABLE', message: expect.stringContaining(path === '.' ? place.project : path)},
    });
  }
});

test.each([
  [['-ftask.md', '--yolo']],
  [['-f=task.md', '--yolo']],
  [['chat', '-f', 'task.md', '--yolo']],
  [['-f', 'task.md', '--', '--yolo']],
])('%j: what follows is an argument [headless.prompt-file]', async (words) => {
  await using place = await openAgentPlace({files: {'task.md': 'Say $1.'}, script: [fine()]});
  const ended = await place.run(words, {variables: {GEMINI_MODEL: 'model-a'}});
  expect([ended, asked(place)]).toEqual([{code: 0, stdout: 'Fine.\n', stderr: ''}, text('Say --yolo.')]);
});

test.each([[['-yf', 'task.md', 'a']], [['chat', 'a', '-f', 'task.md', '--yolo']]])(
  '%j is refused: what is an argument cannot be determined, PROMPT_ARGUMENTS_WRONG [headless.prompt-file]',
  async (words) => {
    await using place = await openAgentPlace({files: {'task.md': 'Say $1.'}});
    expect(await place.run(words)).toMatchObject({
      code: 42,
      stderr: expect.stringContaining('Cannot distinguish the arguments of'),
    });
    expect(place.server.requests).toEqual([]);
  },
);

test('a prompt beside a file is one too many [headless.prompt-file]', async () => {
  await using place = await openAgentPlace({files: {'task.md': 'Go.'}});
  expect((await place.run(['-p', 'x', '-f', 'task.md'])).code).toBe(1);
  expect((await place.run(['-i', 'x', '-f', 'task.md'])).code).toBe(1);
});

test('a file that can be run is a program of its own, whose arguments are never flags [headless.prompt-file]', async () => {
  await using place = await openAgentPlace({script: [fine()]});
  const script = join(place.project, 'say');
  await writeFile(
    script,
    `#!/usr/bin/env -S ${process.execPath} ${join(checkout, 'bin', 'gemini.cjs')} -m model-a --prompt-file\nSay ` +
      `$1 to $2.\n`,
  );
  await chmod(script, 0o755);
  const variables = {
    PATH: process.env['PATH'] ?? '',
    HOME: place.home,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_API_KEY: 'a-key',
    GOOGLE_GEMINI_BASE_URL: place.server.url,
  };
  const child = spawn(script, ['--yolo', 'the world'], {
    cwd: place.project,
    env: variables,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, stdout, asked(place)]).toEqual([0, 'Fine.\n', text('Say --yolo to the world.')]);
});
