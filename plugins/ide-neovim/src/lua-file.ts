import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** A file of the part that runs inside Neovim. */
export function readLua(name: 'companion' | 'gemini'): Promise<string> {
  return readFile(join(fileURLToPath(new URL('..', import.meta.url)), 'lua', `${name}.lua`), 'utf8');
}
