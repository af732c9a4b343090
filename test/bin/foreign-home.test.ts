import {execFileSync} from 'node:child_process';
import {chownSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {isolate, runGemini} from '../helpers/run-gemini.js';

const asRoot = process.getuid?.() === 0 ? test : test.failing;
/** An unprivileged user. */
const USER = 65534;

asRoot.each([
  ['directory', 'show'],
  ['-p', 'go'],
  ['settings', 'set', 'a', '1', '--scope', 'user'],
  ['doctor'],
  ['--help'],
])(
  'root with the home of another user is refused, and leaves nothing there: %s %s [files.root-home]',
  async (...argv) => {
    await using folder = await makeFolder();
    const [home, project] = [join(folder.path, 'home'), join(folder.path, 'project')];
    mkdirSync(home);
    mkdirSync(project);
    chownSync(home, USER, USER);
    expect(await runGemini(argv, {cwd: project, home})).toEqual({
      code: 52,
      stdout: '',
      stderr:
        `Error: This runs as root, and the home folder ${home} belongs to the user ${USER}.\nRun it as that user. ` +
        `For root, use sudo -H, or set HOME to a folder that root owns.\n`,
    });
    expect(readdirSync(home)).toEqual([]);
    const named = await runGemini(['directory', 'show', '--json'], {cwd: project, home});
    expect(JSON.parse(named.stdout)).toMatchObject({error: {code: 'HOME_FOREIGN', exit: 52}});
    expect((await runGemini(['--version'], {cwd: project, home})).code).toBe(0);
  },
);

asRoot('the user of a home is served there, and what it writes belongs to that user', async () => {
  await using folder = await makeFolder();
  const home = join(folder.path, 'home');
  mkdirSync(home);
  execFileSync('chmod', ['755', folder.path]);
  chownSync(home, USER, USER);
  const asUser = ['--reuid', String(USER), '--regid', String(USER), '--clear-groups'];
  const argv = [join(checkout, 'bin', 'gemini.cjs'), 'settings', 'set', 'ui.theme', 'x', '--scope', 'user'];
  execFileSync('setpriv', [...asUser, process.execPath, ...argv], {cwd: home, env: isolate(home)});
  const owners = execFileSync('find', [home, '-printf', '%U\n']).toString().trim().split('\n');
  expect([new Set(owners), readdirSync(join(home, '.gemini'))]).toEqual([new Set([String(USER)]), ['settings.json']]);
});

test('root in its own home is served', async () => {
  await using folder = await makeFolder();
  writeFileSync(join(folder.path, 'a'), '');
  expect((await runGemini(['directory', 'show'], {cwd: folder.path, home: folder.path})).code).toBe(0);
});
