import type {Catalog} from '@gemini-kernel/kernel/host';
import {compilePlugin, type Compiling} from './compile-plugin.js';
import {removeStaleModules} from './find-stale-modules.js';
import {lendPackages} from './lend-packages.js';

export interface Preparing extends Compiling {
  readonly catalog: Catalog;
  /** Whether to compile, where there is something to compile with. */
  readonly compile: boolean;
}

/**
 * Lends what a plugin needs of this program, compiles it, and removes what was compiled from sources that are gone:
 * gives those modules. Throws KernelError PACKAGE_UNLENT or CODE_UNCOMPILED.
 */
export async function preparePlugin({catalog, compile, ...compiling}: Preparing): Promise<readonly string[]> {
  await lendPackages(compiling.root, catalog);
  const isCompiled = compile && (await compilePlugin(compiling));
  return isCompiled ? removeStaleModules(compiling.root) : [];
}
