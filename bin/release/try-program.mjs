import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {emptyEnvironment} from './install-alone.mjs';
import {run} from './run.mjs';

/** What the installed program must answer with 0: help, every plugin loaded, and a line of shell read and judged. */
const LINES = [['--help'], ['doctor'], ['policy', 'explain', 'run_shell_command', 'command=git status | wc -l']];

/**
 * Runs the program that is installed in a project, in an empty folder with an empty home.
 * @param {import('./list-packages.mjs').Package} one The root package.
 * @param {{folder: string, signal: AbortSignal}} setting
 * @returns {Promise<import('./check-archive.mjs').Failure[]>}
 */
export async function tryProgram({manifest}, {folder, signal}) {
  const {name, version, bin} = manifest;
  const program = join(folder, 'node_modules', name, bin[name]);
  const [cwd, home] = [join(folder, 'work'), join(folder, '.home-of-program')];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  const start = (/** @type {string[]} */ args) =>
    run(process.execPath, [program, ...args], {cwd, env: emptyEnvironment(home), signal});
  const failures = [];
  const answer = await start(['--version']);
  if (answer.stdout !== `${version}\n`) {
    const sentence = `The installed program answers ${JSON.stringify(answer.stdout)} to --version, not ${version}.`;
    failures.push({sentence: `${sentence}\n${answer.stderr}`, hint: 'Look at `files` of the root package.json.'});
  }
  for (const line of LINES) {
    const {code, stderr} = await start(line);
    if (code === 0) continue;
    const sentence = `The installed program ends \`${name} ${line.join(' ')}\` with ${code}:\n${stderr.trim()}`;
    failures.push({sentence, hint: 'Look at `files` and `dependencies` of the root package.json.'});
  }
  return failures;
}
