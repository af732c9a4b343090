import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {checkout} from '../helpers/plugin-root.js';

/**
 * `npm run leaks`: the leak test of the sandbox, then from inside an isolated plugin, and both again as an ordinary
 * user where this one is root.
 */
function run(user: number | undefined, [program = '', ...words]: readonly string[]): number {
  const home = mkdtempSync(join(tmpdir(), 'gemini-leaks-home-'));
  const given = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  if (user !== undefined) spawnSync('chown', [String(user), home]);
  console.log(`== ${program} as ${user === undefined ? 'this user' : `user ${user}`}`);
  const [file = '', ...args] = [...given, process.execPath, join(checkout, program), ...words];
  const {status} = spawnSync(file, args, {
    stdio: 'inherit',
    cwd: home,
    env: {PATH: process.env['PATH'], HOME: home, GEMINI_TEST_TOKEN: 'CANARY-gemini-leak'},
  });
  rmSync(home, {recursive: true, force: true});
  return status ?? 1;
}

const users = process.getuid?.() === 0 ? [undefined, 65_534] : [undefined];
const programs = [['bin/gemini.cjs', 'sandbox', 'test'], ['test/dist/leaks/isolated.js']];
process.exitCode = Math.max(...users.flatMap((user) => programs.map((words) => run(user, words))));
