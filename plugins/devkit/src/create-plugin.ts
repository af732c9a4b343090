import {mkdir, readdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {KERNEL_VERSION} from '@gemini-kernel/kernel/host';
import type {NewPlugin} from './new-plugin.js';
import {pluginFiles} from './templates/plugin-files.js';

/**
 * Writes a new plugin into a folder that is missing or empty, and gives the files' paths. Throws KernelError
 * PLUGIN_FOLDER_OCCUPIED.
 */
export async function createPlugin(plugin: NewPlugin, root: string): Promise<readonly string[]> {
  const files = pluginFiles(plugin, KERNEL_VERSION);
  try {
    await mkdir(root, {recursive: true});
    // A freshly created repository counts as empty.
    const there = (await readdir(root)).filter((name) => name !== '.git');
    if (there.length > 0)
      throw occupied(root, `it has ${there.slice(0, 3).join(', ')}${there.length > 3 ? ' and more' : ''} already`);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), {recursive: true});
      await writeFile(join(root, path), text, {flag: 'wx'});
    }
  } catch (cause) {
    throw cause instanceof KernelError ? cause : occupied(root, messageOf(cause), cause);
  }
  return Object.keys(files);
}

function occupied(root: string, why: string, cause?: unknown): KernelError {
  return new KernelError('PLUGIN_FOLDER_OCCUPIED', `Cannot create a plugin in ${root}: ${why}.`, {
    cause,
    hint: 'Choose another folder with --directory. Existing files are never overwritten.',
  });
}
