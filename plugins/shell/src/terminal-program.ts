import {execFile} from 'node:child_process';
import {access, constants} from 'node:fs/promises';
import {posix} from 'node:path';
import {promisify} from 'node:util';
import type {Environment} from '@gemini-kernel/kernel';
import type {Program} from '@gemini-kernel/plugin-sandbox/contract';

/** The window that a command sees, and the program that makes its terminal. */
export interface TerminalSize {
  readonly script: string;
  readonly columns: number;
  readonly rows: number;
}

/** How long script(1) may take to say its version. */
const PATIENCE_MS = 2000;
const PREFIX = 'GEMINI_TTY_';
/**
 * What script(1) gives to a shell. It is always this text: what is to run comes in variables, which the command does
 * not see.
 */
const LINE = [
  `stty cols "$${PREFIX}COLUMNS" rows "$${PREFIX}ROWS" 2>/dev/null`,
  `command=$${PREFIX}COMMAND shell=$${PREFIX}SHELL`,
  `if [ -n "$${PREFIX}LOGIN" ]; then SHELL=$${PREFIX}LOGIN; else unset SHELL; fi`,
  `unset ${['COLUMNS', 'ROWS', 'COMMAND', 'SHELL', 'LOGIN'].map((name) => PREFIX + name).join(' ')}`,
  'exec "$shell" -c "$command"',
].join('; ');

/** A program that runs a command in a terminal of its own; what is written to its input is typed there. */
export function terminalProgram(
  plain: Program,
  {shell, command, terminal}: {readonly shell: string; readonly command: string; readonly terminal: TerminalSize},
): Program {
  const {script, columns, rows} = terminal;
  return {
    ...plain,
    file: script,
    // Quiet, with the exit code of the command, at once, and with an echo of what is typed.
    args: ['--quiet', '--return', '--flush', '--echo', 'always', '--command', LINE, '/dev/null'],
    variables: {
      ...plain.variables,
      SHELL: '/bin/sh',
      [`${PREFIX}LOGIN`]: plain.variables['SHELL'] ?? '',
      [`${PREFIX}SHELL`]: shell,
      [`${PREFIX}COMMAND`]: command,
      [`${PREFIX}COLUMNS`]: String(columns),
      [`${PREFIX}ROWS`]: String(rows),
    },
  };
}

/** script(1) of util-linux, which makes terminals; undefined where there is another one, or none. */
export async function findScript({
  platform,
  variables,
}: Pick<Environment, 'platform' | 'variables'>): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  const folders = (variables['PATH'] ?? '').split(':').filter((folder) => posix.isAbsolute(folder));
  for (const folder of new Set([...folders, '/usr/bin', '/bin'])) {
    const file = posix.join(folder, 'script');
    if (await isExecutable(file)) return (await isOfUtilLinux(file)) ? file : undefined;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Its option for the echo is as old as version 2.36. */
async function isOfUtilLinux(file: string): Promise<boolean> {
  const said = await promisify(execFile)(file, ['--version'], {timeout: PATIENCE_MS}).then(
    ({stdout}) => stdout,
    () => '',
  );
  const [, major, minor] = /util-linux (\d+)\.(\d+)/.exec(said) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 36);
}
