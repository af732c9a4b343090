import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import {passOver} from '../../system-faults.js';
import type {Installer} from './installer.js';

/**
 * Names without a version or a tag; if no name is given, the plugin in the current folder. Throws KernelError
 * PLUGIN_NOT_INSTALLED when there is no such plugin.
 */
export async function findNamed(
  {environment: {cwd}}: Pick<Installer, 'environment'>,
  written: readonly string[],
): Promise<readonly string[]> {
  const names = written.length > 0 ? written : ['.'];
  return Promise.all(names.map(async (name) => (name === '.' ? nameIn(cwd) : name.replace(/(?<=.)@.*$/, ''))));
}

async function nameIn(folder: string): Promise<string> {
  const reading = readText(join(folder, 'package.json'));
  const text = await reading.catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR', 'EACCES'));
  const name = text === undefined ? undefined : (JSON.parse(text) as {name?: unknown}).name;
  if (typeof name === 'string') return name;
  throw new KernelError('PLUGIN_NOT_INSTALLED', `No plugin was named, and ${folder} is not a plugin.`, {
    hint: 'Name one. `gemini plugins list` shows the installed plugins.',
  });
}
