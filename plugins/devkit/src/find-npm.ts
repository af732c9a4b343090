import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, dirname, join} from 'node:path';
import {KernelError, type Environment} from '@gemini-kernel/kernel';

/** The person's own npm, as `runProgram` takes it. Throws KernelError NPM_MISSING when none is on the PATH. */
export async function findNpm({
  platform,
  variables,
}: Pick<Environment, 'platform' | 'variables'>): Promise<string | readonly [string, ...string[]]> {
  const isWindows = platform === 'win32';
  for (const folder of (variables['PATH'] ?? '').split(delimiter).filter((one) => one !== '')) {
    const file = join(folder, isWindows ? 'npm.cmd' : 'npm');
    if (!(await isProgram(file))) continue;
    if (!isWindows) return file;
    // What a .cmd file would start; Node starts none without a shell.
    const script = join(dirname(file), 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (await isProgram(script)) return ['node', script];
  }
  throw new KernelError('NPM_MISSING', 'There is no npm in any folder of PATH.', {
    hint: 'Install it; it comes with Node. Then try again.',
  });
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Not there, or not to be looked at: PATH may name more.
    return false;
  }
}
