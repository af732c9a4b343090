import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {readLua} from './lua-file.js';

/** Where Neovim looks for plugins that it loads at start. */
function startFile({home, platform, variables}: Pick<Environment, 'home' | 'platform' | 'variables'>): string {
  const data =
    platform === 'win32'
      ? join(variables['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'nvim-data')
      : join(variables['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'nvim');
  return join(data, 'site', 'pack', 'gemini', 'start', 'gemini', 'plugin', 'gemini.lua');
}

/** Writes the file that starts the companion with every Neovim. Throws KernelError NEOVIM_FILE_UNWRITABLE. */
export async function installStartFile(
  environment: Pick<Environment, 'home' | 'platform' | 'variables'>,
): Promise<string> {
  const file = startFile(environment);
  try {
    await mkdir(dirname(file), {recursive: true});
    await writeFile(file, await readLua('gemini'));
    return file;
  } catch (cause) {
    throw new KernelError('NEOVIM_FILE_UNWRITABLE', `Cannot write ${file}: ${messageOf(cause)}`, {
      cause,
      hint: 'Make the folder writable, or set XDG_DATA_HOME for Neovim and gemini.',
    });
  }
}
