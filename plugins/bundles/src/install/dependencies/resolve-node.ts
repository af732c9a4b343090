import {constants} from 'node:fs';
import {access, realpath} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {execPath} from 'node:process';
import type {Installer} from '../source/installer.js';

/**
 * The real path of the Node that the user's npm runs on: npm is a script, and the first `node` in PATH runs it.
 * Undefined when there is no `node`.
 */
export async function resolveNode({
  environment: {variables, platform},
}: Pick<Installer, 'environment'>): Promise<string | undefined> {
  // There, npm runs on the Node of this program.
  if (platform === 'win32') return realpath(execPath);
  for (const folder of (variables['PATH'] ?? '').split(delimiter).filter((one) => one !== '')) {
    const file = join(folder, 'node');
    try {
      await access(file, constants.X_OK);
      return await realpath(file);
    } catch {
      // Missing or unreadable: PATH may have more.
      continue;
    }
  }
  return undefined;
}
