import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {checkout, pluginRoot} from './plugin-root.js';

/** A module of a built first-party plugin, which exports nothing to other packages. */
export async function builtModule<M>(plugin: string, name: string): Promise<M> {
  return (await import(pathToFileURL(join(pluginRoot(plugin), 'dist', name)).href)) as M;
}

/** A module of the built program itself. */
export async function builtHost<M>(name: string): Promise<M> {
  return (await import(pathToFileURL(join(checkout, 'bin', 'dist', name)).href)) as M;
}
