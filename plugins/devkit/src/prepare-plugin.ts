import {existsSync} from 'node:fs';
import {join} from 'node:path';
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
 * Lends what a plugin needs of this program, compiles it, and removes the contributions that were compiled from sources
 * that are gone: gives those modules. Throws KernelError PACKAGE_UNLENT or CODE_UNCOMPILED.
 */
export async function preparePlugin({catalog, compile, ...compiling}: Preparing): Promise<readonly string[]> {
  await lendPackages(compiling.root, catalog);
  if (compile) await compilePlugin(compiling);
  // Without a tsconfig.json nothing says that a compiler wrote them, and that it can write them again.
  return existsSync(join(compiling.root, 'tsconfig.json')) ? removeStaleModules(compiling.root) : [];
}
