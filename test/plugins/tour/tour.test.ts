import {readdir} from 'node:fs/promises';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {runGemini} from '../../helpers/run-gemini.js';

const walk = [
  'gemini directory add ../library',
  "gemini -p 'use a template string in greet' --model replay:rehearsal --approval-mode auto_edit",
  'gemini tools call read_file file_path=src/greet.js',
  'gemini tools call code_find name=greet what=references',
  "gemini tools call run_shell_command 'command=ls src && cat src/greet.js' --yes",
  'gemini why',
  "gemini policy explain run_shell_command 'command=git log && rm -rf src'",
];

test('a tour without a terminal runs every step and leaves nothing behind [tour.runs-through]', async () => {
  await using home = await makeFolder();
  await using temporary = await makeFolder();
  const {code, stdout, stderr} = await runGemini(['tour'], {
    cwd: home.path,
    home: home.path,
    variables: {TMPDIR: temporary.path, TEMP: temporary.path, TMP: temporary.path},
  });
  expect({
    code,
    stderr,
    commands: [...stdout.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command),
    changed: stdout.includes('  return `Hello, ${name}!`;'),
    found: stdout.includes('src/main.js:\n  1: import {greet} from "./greet.js";\n  4: console.log(greet("world"));\n'),
    left: await readdir(temporary.path),
  }).toEqual({
    code: 0,
    stderr: '',
    commands: walk,
    changed: true,
    found: true,
    left: [],
  });
  // The rehearsal is a conversation, and conversations are kept: not this one.
  expect(await readdir(home.path)).not.toContain('.gemini');
});

test('a bare start without a key is the tour, and says what a conversation needs', async () => {
  await using home = await makeFolder();
  const {code, stdout} = await runGemini([], {cwd: home.path, home: home.path});
  expect({code, first: stdout.split('\n').find((line) => line.startsWith('$'))}).toEqual({
    code: 0,
    first: `$ ${walk[0]}`,
  });
});

test('a tour for programs gives each command with its exit code, and nothing else', async () => {
  await using home = await makeFolder();
  const {code, stdout, stderr} = await runGemini(['tour', '--json'], {cwd: home.path, home: home.path});
  expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', {steps: walk.map((command) => ({command, code: 0}))}]);
});
