import {spawn} from 'node:child_process';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';

interface Sitting {
  readonly cwd: string;
  readonly prompt: string;
  readonly answer: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Runs the program at a real terminal, made by script(1), and types `answer` once the screen shows `prompt`. */
function runAtTerminal(words: readonly string[], {cwd, prompt, answer, variables = {}}: Sitting): Promise<{code: number | null; screen: string}> {
  const line = [process.execPath, join(checkout, 'bin', 'gemini.cjs'), ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', line, '/dev/null'], {cwd, env: {...isolate(cwd), TERM: 'xterm', SHELL: '/bin/sh', ...variables}, stdio: ['pipe', 'pipe', 'pipe']});
    let screen = '';
    let answered = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      if (answered || !screen.includes(prompt)) return;
      answered = true;
      child.stdin.write(answer);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({code, screen}));
  });
}

const replace = ['tools', 'call', 'replace', 'file_path=a.txt', 'old_string=old', 'new_string=new', 'instruction=test'];

// script(1) of Linux takes the command as one line and gives back its exit code; that of other systems does neither.
const atTerminal = process.platform === 'linux' ? test : test.skip;

atTerminal.each([
  ['y\r', 0, 'new\n'],
  ['yes\r', 0, 'new\n'],
  ['n\r', 1, 'old\n'],
  ['\r', 1, 'old\n'],
  ['\u0004', 1, 'old\n'],
  ['\u0003', 130, 'old\n'],
])('a person who sees the change and types %j gets exit code %i [tools.asks-at-terminal]', async (answer, code, content) => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'a.txt'), 'old\n');
  const ended = await runAtTerminal(replace, {cwd: folder.path, prompt: '[N]o: ', answer, variables: {NO_COLOR: '1'}});
  expect({code: ended.code, content: await readFile(join(folder.path, 'a.txt'), 'utf8')}).toEqual({code, content});
  expect(ended.screen).toMatch(/^-old\r?\n\+new\r?$/m);
});

atTerminal('a terminal gets colours, and none with NO_COLOR [cli.no-colour]', async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'a.txt'), 'old\n');
  const run = (variables: Record<string, string>) => runAtTerminal(replace, {cwd: folder.path, prompt: '[N]o: ', answer: 'n\r', variables});
  const [coloured, plain] = [await run({}), await run({NO_COLOR: '1'})];
  // Asking a question moves the cursor; colour is what NO_COLOR is about.
  expect([coloured, plain].map(({screen}) => /\u001b\[[0-9;]+m/.test(screen))).toEqual([true, false]);
});

atTerminal('a terminal where CI is true asks nobody', async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'a.txt'), 'old\n');
  const {code, screen} = await runAtTerminal(replace, {cwd: folder.path, prompt: '[N]o: ', answer: 'y\r', variables: {CI: 'true'}});
  expect({code, asked: screen.includes('[y/N]')}).toEqual({code: 1, asked: false});
});
