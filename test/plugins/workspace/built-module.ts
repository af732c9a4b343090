import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** A pure module of the built workspace plugin, which exports nothing to other packages. */
export async function builtModule<M>(name: string): Promise<M> {
  return (await import(pathToFileURL(join(pluginRoot('workspace'), 'dist', name)).href)) as M;
}
