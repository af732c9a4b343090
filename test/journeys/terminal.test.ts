import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {atTerminal, PROMPT, runAtTerminal} from './run-at-terminal.js';

const replace = ['tools', 'call', 'replace', 'file_path=a.txt', 'old_string=old', 'new_string=new', 'instruction=test'];

atTerminal.each([
  ['y\r', 0, 'new\n'],
  ['yes\r', 0, 'new\n'],
  ['n\r', 1, 'old\n'],
  ['\r', 1, 'old\n'],
  ['\u0004', 1, 'old\n'],
  ['\u0003', 130, 'old\n'],
])(
  'a person who sees the change and types %j gets exit code %i [tools.asks-at-terminal]',
  async (answer, code, content) => {
    await using folder = await makeFolder();
    await writeFile(join(folder.path, 'a.txt'), 'old\n');
    const ended = await runAtTerminal(replace, {cwd: folder.path, prompt: PROMPT, answer, variables: {NO_COLOR: '1'}});
    expect({code: ended.code, content: await readFile(join(folder.path, 'a.txt'), 'utf8')}).toEqual({code, content});
    expect(ended.screen).toMatch(/^-old\r?\n\+new\r?$/m);
  },
);

atTerminal('a terminal gets colours, and none with NO_COLOR [cli.no-colour]', async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'a.txt'), 'old\n');
  const run = (variables: Record<string, string>) =>
    runAtTerminal(replace, {cwd: folder.path, prompt: PROMPT, answer: 'n\r', variables});
  const [coloured, plain] = [await run({}), await run({NO_COLOR: '1'})];
  // Asking a question moves the cursor; colour is what NO_COLOR is about.
  expect([coloured, plain].map(({screen}) => /\u001b\[[0-9;]+m/.test(screen))).toEqual([true, false]);
});

atTerminal.each([
  ['y\r', true],
  ['\r', false],
])('a word that looks like a slip is asked about, and %j decides [ask.everywhere]', async (answer, isRun) => {
  await using folder = await makeFolder();
  const {screen} = await runAtTerminal(['doctr'], {cwd: folder.path, prompt: 'Run gemini doctor? [y/N] ', answer});
  expect(screen).toContain('There is no command "doctr".');
  expect(screen.includes('@gemini-kernel/plugin-settings')).toBe(isRun);
});

atTerminal('the tour shows each step before it runs, and q leaves it [ask.everywhere]', async () => {
  await using folder = await makeFolder();
  const {code, screen} = await runAtTerminal(['tour'], {
    cwd: folder.path,
    prompt: 'Run it? [R]un, [q] leave: ',
    answer: 'q\r',
  });
  expect([code, screen.includes('$ gemini directory add ../library'), screen.includes('2/6')]).toEqual([
    0,
    true,
    false,
  ]);
});

atTerminal('a terminal where CI is true asks no questions', async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'a.txt'), 'old\n');
  const {code, screen} = await runAtTerminal(replace, {
    cwd: folder.path,
    prompt: PROMPT,
    answer: 'y\r',
    variables: {CI: 'true'},
  });
  expect({code, asked: screen.includes('[y/N]')}).toEqual({code: 1, asked: false});
});
