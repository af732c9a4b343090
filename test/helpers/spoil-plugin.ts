import {cp, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pluginRoot} from './plugin-root.js';

/** A copy of a plugin with every module of it replaced by one that says that it was read; gives its folder. */
export async function spoilPlugin(name: string, folder: string): Promise<string> {
  const root = join(folder, name);
  await cp(join(pluginRoot(name), 'dist'), join(root, 'dist'), {recursive: true});
  for (const file of await readdir(join(root, 'dist'), {recursive: true}))
    if (file.endsWith('.js'))
      await writeFile(join(root, 'dist', file), `throw new Error('${file.replaceAll('\\', '/')} was read');`);
  for (const file of ['package.json', 'gemini.plugin.json']) await cp(join(pluginRoot(name), file), join(root, file));
  return root;
}
