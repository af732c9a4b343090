import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {composeCommand} from '#plugins/custom-commands/dist/template/compose-command.js';
import {readBash} from '#plugins/custom-commands/dist/template/read-bash.js';
import {createRandom} from './random.js';

const words = [
  ...["'", "'", '"', '"', '\\', '$', '`', '$(', '(', ')', '{', '}', '{{args}}', '{{args}}', '{{args}}', ' ', ' ', '\n'],
  ...[';', '&&', '|', '>', '>>', '<<', '<<<', '\nE\n', '#', '[[', ']]', 'case x in', 'esac', 'x)', ';;', 'if', 'then'],
  ...['fi', 'echo', 'echo', 'printf %s', 'a=', 'eval', 'bash -c', 'xargs', 'env', 'find . -exec', '!', '~', '*', '$(('],
  ...[
    '))',
    '${x',
    '${x:-',
    '$x',
    "$'",
    '$"',
    '<(',
    '>&',
    '2>&1',
    '-v',
    'test',
    '[',
    'export',
    'for x in',
    'do',
    'done',
  ],
  ...['f()', 'exec', 'sed', '-e', '$!', '&>', '<&', '\\"', "\\'", '\\`', '\\$', '\t', '\\\n'],
];
const given = [
  ...['$(touchy)', '`touchy`', ';touchy;', '\ntouchy\n', "'$(touchy)'", '"$(touchy)"', "'; touchy; '", '"; touchy; "'],
  ...[')\ntouchy\n', 'a[$(touchy)]', 'touchy', "';touchy #", '";touchy #', '\nE\ntouchy\n', "\\';touchy;\\'", '\\'],
];

test('no line that is accepted, of any form, runs an argument in a real bash [commands.quoted]', async () => {
  const random = createRandom(7);
  const pick = (all: readonly string[]): string => all[random(all.length)] ?? '';
  const lines: string[] = [];
  while (lines.length < 1500) {
    const line = Array.from({length: 2 + random(5)}, () => pick(words) + (random(3) === 0 ? ' ' : '')).join('');
    const command = line.includes('{{args}}') ? compose(line, pick(given)) : undefined;
    if (command !== undefined) lines.push(command);
  }
  const folder = await mkdtemp(join(tmpdir(), 'gemini-lines-'));
  const canary = join(folder, 'canary');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'touchy'), `#!/bin/sh\n: > '${canary}'\n`);
  await chmod(join(folder, 'bin', 'touchy'), 0o755);
  await writeFile(join(folder, 'lines'), lines.map((line) => `${line}\0`).join(''));
  await Promise.all(lines.map((_, index) => mkdir(join(folder, String(index)))));
  const script =
    'mapfile -d "" lines < lines; for at in "${!lines[@]}"; do (cd "$at"; eval "${lines[at]}"); done; wait; exit 0';
  const env = {PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8'};
  const run = (text: string): unknown =>
    execFileSync('bash', ['--norc', '-c', text], {cwd: folder, env, stdio: 'ignore'});
  run(script);
  expect(existsSync(canary)).toBe(false);
  // Where one does run, it is seen.
  run('touchy');
  expect(existsSync(canary)).toBe(true);
  await rm(folder, {recursive: true});
});

/** The command of a line that has a place for arguments and is not refused. */
function compose(line: string, text: string): string | undefined {
  try {
    const pieces = readBash(line);
    return pieces.some(({kind}) => kind === 'arguments') ? composeCommand(pieces, text, 'bash') : undefined;
  } catch (error) {
    if ((error as Error).name !== 'TemplateFault') throw error;
    return undefined;
  }
}
