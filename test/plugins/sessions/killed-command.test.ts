import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, watch} from 'node:fs';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate, runGemini} from '../../helpers/run-gemini.js';
import {git} from './shell-work.js';

const command = (id: string, text: string): string =>
  JSON.stringify({
    method: 'stream',
    response: [
      {kind: 'call', id, name: 'run_shell_command', input: {command: text}},
      {kind: 'end', reason: 'stop'},
    ],
  });
const answers = [
  command('c1', 'echo first > a.txt'),
  command('c2', 'echo second > a.txt; touch started; sleep 60'),
].join('\n');

/** Resolves when a file is there. */
async function appears(folder: string, name: string): Promise<void> {
  const watcher = watch(folder);
  try {
    while (!existsSync(join(folder, name))) await once(watcher, 'change');
  } finally {
    watcher.close();
  }
}

test(
  'killed while a command runs, what earlier ones changed comes back, and nothing is left behind ' +
    '[checkpoints.commands]',
  async () => {
    await using folder = await makeFolder();
    const [project, home] = [join(folder.path, 'project'), join(folder.path, 'home')];
    await Promise.all([mkdir(project), mkdir(home)]);
    await writeFile(join(project, 'a.txt'), 'one\n');
    git(project, 'init', '-q');
    git(project, 'add', '-A');
    git(project, 'commit', '-q', '-m', 'x');
    await writeFile(join(home, 'answers.jsonl'), `${answers}\n`);
    const argv = [join(checkout, 'bin', 'gemini.cjs'), '-y', '-p', 'go', '-m', `replay:${join(home, 'answers.jsonl')}`];
    const child = spawn(process.execPath, argv, {cwd: project, env: isolate(home), stdio: 'ignore'});
    const closed = once(child, 'close');
    await appears(project, 'started');
    child.kill('SIGKILL');
    expect((await closed)[1]).toBe('SIGKILL');
    const run = (...args: readonly string[]): ReturnType<typeof runGemini> => runGemini(args, {cwd: project, home});
    const refused = await run('sessions', 'restore', '1', '--session', 'latest');
    expect([refused.code, await readFile(join(project, 'a.txt'), 'utf8')]).toEqual([1, 'second\n']);
    const restored = await run('sessions', 'restore', '1', '--session', 'latest', '--force');
    expect([restored.code, await readFile(join(project, 'a.txt'), 'utf8')]).toEqual([0, 'one\n']);
    const left = await readdir(join(home, '.gemini/tmp/project'), {recursive: true});
    expect(left.filter((name) => name.endsWith('.tmp') || name.includes('index.'))).toEqual([]);
  },
);
