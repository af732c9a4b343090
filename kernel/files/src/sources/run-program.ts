import {spawn} from 'node:child_process';
import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, dirname, isAbsolute, join} from 'node:path';
import {execPath} from 'node:process';

export type ProgramName = 'git' | 'npm';

export interface ProgramPlace {
  /** Where it runs. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Makes the error for a program that is in no folder of PATH. */
  missing(name: ProgramName): Error;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing of a repository runs, and no link of it becomes one on disk. */
const SAFE = [
  'core.hooksPath=/dev/null',
  'protocol.ext.allow=never',
  'core.fsmonitor=false',
  'core.symlinks=false',
  'submodule.recurse=false',
].flatMap((one) => ['-c', one]);

const QUIET = {
  npm_config_ignore_scripts: 'true',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_global: 'false',
  npm_config_fetch_retries: '0',
  npm_config_loglevel: 'error',
};

/** Variables of git that say how to reach a server. Others would make it work in the repository of the caller. */
const GIT_REACH =
  /^(SSH|ASKPASS|TERMINAL|HTTP|SSL|PROXY|TRACE|EXEC_PATH|ALLOW_PROTOCOL|PROTOCOL_FROM_USER|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$)/;

/** The rest of an output that is longer is dropped. */
const MOST_OUTPUT = 16 * 1024 * 1024;

/** Runs git. It asks for no password, and runs nothing of a repository. */
export async function runGit(args: readonly string[], place: ProgramPlace): Promise<ProgramEnd> {
  const program = await findProgram('git', place);
  return run(program, [...SAFE, ...args], place, {GIT_TERMINAL_PROMPT: '0'});
}

/** Runs the person's own npm, with their configuration and without scripts of packages. */
export async function runNpm(
  args: readonly string[],
  place: ProgramPlace,
  variables: Readonly<Record<string, string>> = {},
): Promise<ProgramEnd> {
  return run(await findProgram('npm', place), args, place, {...QUIET, ...variables});
}

type Program = readonly [string, ...string[]];

async function findProgram(name: ProgramName, {platform, variables, missing}: ProgramPlace): Promise<Program> {
  const isWindows = platform === 'win32';
  const path =
    Object.entries(variables).find(([key]) => key === 'PATH' || (isWindows && key.toUpperCase() === 'PATH'))?.[1] ?? '';
  // A relative folder of PATH would be looked up in what was fetched.
  for (const folder of path.split(delimiter).filter((one) => isAbsolute(one))) {
    const file = join(folder, isWindows ? `${name}.${name === 'npm' ? 'cmd' : 'exe'}` : name);
    if (!(await isProgram(file))) continue;
    if (!isWindows || name === 'git') return [file];
    // The script that the .cmd file would start; Node starts no .cmd file without a shell.
    const script = join(dirname(file), 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (await isProgram(script)) return [execPath, script];
  }
  throw missing(name);
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing or unreadable: PATH may have more.
    return false;
  }
}

function run(
  [file, ...before]: Program,
  args: readonly string[],
  {folder, variables, signal}: ProgramPlace,
  more: Readonly<Record<string, string>>,
): Promise<ProgramEnd> {
  const kept = Object.entries(variables).filter(
    ([name]) => !/^GIT_/i.test(name) || GIT_REACH.test(name.slice(4).toUpperCase()),
  );
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const child = spawn(file, [...before, ...args], {
      cwd: folder,
      env: {...Object.fromEntries(kept), ...more},
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const texts = {stdout: '', stderr: ''};
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (texts[name].length < MOST_OUTPUT) texts[name] += text;
      });
    const stop = (): void => void child.kill();
    signal.addEventListener('abort', stop, {once: true});
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({code, ...texts});
    });
  });
}
