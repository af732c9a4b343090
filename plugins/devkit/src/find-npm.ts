import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, dirname, join} from 'node:path';
import {KernelError, type Environment} from '@gemini-kernel/kernel';

/** The npm on the PATH, for `runProgram`. Throws KernelError NPM_MISSING when there is none. */
export async function findNpm({
  platform,
  variables,
}: Pick<Environment, 'platform' | 'variables'>): Promise<string | readonly [string, ...string[]]> {
  const isWindows = platform === 'win32';
  for (const folder of (variables['PATH'] ?? '').split(delimiter).filter((one) => one !== '')) {
    const file = join(folder, isWindows ? 'npm.cmd' : 'npm');
    if (!(await isProgram(file))) continue;
    if (!isWindows) return file;
    // What a .cmd file would start; Node cannot start one without a shell.
    const script = join(dirname(file), 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (await isProgram(script)) return ['node', script];
  }
  throw new KernelError('NPM_MISSING', 'npm is not on the PATH.', {
    hint: 'Install npm, which comes with Node, and run the command again.',
  });
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing or unreadable: try the next folder of PATH.
    return false;
  }
}
