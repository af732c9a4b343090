import {spawn} from 'node:child_process';
import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, dirname, join} from 'node:path';
import {execPath} from 'node:process';
import {KernelError} from '@gemini-kernel/kernel';
import type {Installer} from '../source/installer.js';

export interface ProgramRun {
  readonly args: readonly string[];
  readonly directory: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the user's own npm, without input and without scripts of packages. Throws KernelError INSTALL_PROGRAM_MISSING;
 * the caller checks whether it succeeded.
 */
export async function runNpm(installer: Installer, run: ProgramRun): Promise<ProgramEnd> {
  const program = await findProgram(installer, 'npm');
  const quiet = {
    npm_config_ignore_scripts: 'true',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_global: 'false',
    npm_config_fetch_retries: '0',
    npm_config_loglevel: 'error',
  };
  return runProgram(installer, program, {...run, variables: {...quiet, ...run.variables}});
}

/** Variables that git passes to its hooks; they would make git work in the repository of the caller. */
const GIT_OWN =
  /^GIT_(ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_(PARAMETERS|COUNT|KEY_\d+|VALUE_\d+)|OBJECT_DIRECTORY|DIR|WORK_TREE|IMPLICIT_WORK_TREE|GRAFT_FILE|INDEX_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|SHALLOW_FILE|COMMON_DIR|INTERNAL_SUPER_PREFIX|NAMESPACE|QUARANTINE_PATH|TEMPLATE_DIR|EXTERNAL_DIFF)$/i;

/**
 * Runs git without asking for a password and without running anything from a repository. Throws KernelError
 * INSTALL_PROGRAM_MISSING.
 */
export async function runGit(installer: Installer, run: ProgramRun): Promise<ProgramEnd> {
  const program = await findProgram(installer, 'git');
  // Where rules restrict sources, no server may redirect git.
  const steady = installer.managed.kind === 'none' ? [] : ['-c', 'http.followRedirects=false'];
  const safe = [
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'protocol.ext.allow=never',
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.symlinks=false',
    '-c',
    'submodule.recurse=false',
  ];
  return runProgram(installer, program, {
    ...run,
    args: [...safe, ...steady, ...run.args],
    variables: {GIT_TERMINAL_PROMPT: '0', ...run.variables},
  });
}

type Program = readonly [string, ...string[]];

async function findProgram({environment: {platform, variables}}: Installer, name: 'npm' | 'git'): Promise<Program> {
  const isWindows = platform === 'win32';
  const path =
    Object.entries(variables).find(([key]) => key === 'PATH' || (isWindows && key.toUpperCase() === 'PATH'))?.[1] ?? '';
  for (const folder of path.split(delimiter).filter((one) => one !== '')) {
    const file = join(folder, isWindows ? `${name}.${name === 'npm' ? 'cmd' : 'exe'}` : name);
    if (!(await isProgram(file))) continue;
    if (!isWindows || name === 'git') return [file];
    // The script that the .cmd file would start; Node starts no .cmd file without a shell.
    const script = join(dirname(file), 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (await isProgram(script)) return [execPath, script];
  }
  throw new KernelError(
    'INSTALL_PROGRAM_MISSING',
    `This installation needs ${name}, which is not in any folder of PATH.`,
    {
      hint:
        name === 'npm'
          ? 'Install npm, which comes with Node, then try again. A plugin in an archive without dependencies ' +
            'does not need npm.'
          : 'Install git, then try again.',
    },
  );
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

function withoutGitOwn(variables: Installer['environment']['variables']): Installer['environment']['variables'] {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !GIT_OWN.test(name)));
}

function runProgram(
  {environment, signal}: Installer,
  [file, ...before]: Program,
  {args, directory, variables}: ProgramRun,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const child = spawn(file, [...before, ...args], {
      cwd: directory,
      env: {...withoutGitOwn(environment.variables), ...variables},
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const texts = {stdout: '', stderr: ''};
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => void (texts[name] += text));
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
