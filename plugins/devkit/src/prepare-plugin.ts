import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Catalog} from '@gemini-kernel/kernel/host';
import {compilePlugin, type Compiling} from './compile-plugin.js';
import {removeStaleModules} from './find-stale-modules.js';
import {lendPackages} from './lend-packages.js';

export interface Preparing extends Compiling {
  readonly catalog: Catalog;
  /** Whether to compile, if a compiler is available. */
  readonly compile: boolean;
}

/**
 * Links the program's packages into a plugin, compiles it, and removes compiled contributions without a source: gives
 * those modules. Throws KernelError PACKAGE_UNLENT or CODE_UNCOMPILED.
 */
export async function preparePlugin({catalog, compile, ...compiling}: Preparing): Promise<readonly string[]> {
  await lendPackages(compiling.root, catalog);
  if (compile) await compilePlugin(compiling);
  // Without a tsconfig.json, they may not come from a compiler that can write them again.
  return existsSync(join(compiling.root, 'tsconfig.json')) ? removeStaleModules(compiling.root) : [];
}
