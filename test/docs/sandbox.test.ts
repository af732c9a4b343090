import {execFile} from 'node:child_process';
import {mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {newcomerVariables} from '../helpers/run-gemini.js';
import {testConfined} from '../plugins/sandbox/open-sandbox.js';

/** The commands of the guide, in order, each with the lines that it shows. */
function read(): readonly {readonly command: string; readonly shown: readonly string[]}[] {
  const text = readFileSync(join(checkout, 'docs', 'sandbox.md'), 'utf8');
  return [...text.matchAll(/^```console\n\$ (.*)\n([^]*?)```$/gm)].map(([, command = '', output = '']) => ({
    command,
    shown: output.split('\n').filter((line) => line !== ''),
  }));
}

testConfined('a newcomer who does what docs/sandbox.md says sees what it shows [sandbox.explained]', async () => {
  const [home, project] = ['home', 'project'].map((name) => realpathSync(mkdtempSync(join(tmpdir(), `gemini-guide-${name}-`)))) as [string, string];
  const gemini = `gemini() { '${process.execPath}' '${checkout}bin/gemini.cjs' "$@"; }`;
  const outputs = new Map<string, string>();
  for (const {command} of read()) {
    const {stdout} = await promisify(execFile)('bash', ['-c', `${gemini}; ${command}`], {
      cwd: project,
      env: newcomerVariables(home),
    });
    outputs.set(command, stdout);
  }
  expect([...outputs.keys()].filter((command) => command.startsWith('gemini sandbox'))).toEqual([
    'gemini sandbox status',
    'gemini sandbox explain',
  ]);
  const status = read()[0]?.shown ?? [];
  expect(outputs.get('gemini sandbox status')?.trim().split('\n').toSpliced(1, 1)).toEqual(status.toSpliced(1, 1));
  const explained = outputs.get('gemini sandbox explain') ?? '';
  expect(explained).toContain('What a command sees in the mode default:');
  expect(explained).toMatch(new RegExp(`^writable +${project} +workspace$`, 'm'));
  expect(explained).toContain('Network: loopback of its own only, because nothing grants it.');
  const after = await promisify(execFile)('bash', ['-c', `${gemini}; gemini sandbox explain`], {cwd: project, env: newcomerVariables(home)});
  expect(after.stdout).toMatch(/^ +registry\.example\.com +tools\.sandboxAllowedHosts$/m);
  for (const folder of [home, project]) rmSync(folder, {recursive: true});
}, 60_000);
