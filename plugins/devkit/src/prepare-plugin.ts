import type {Catalog} from '@gemini-kernel/kernel/host';
import {compilePlugin, type Compiling} from './compile-plugin.js';
import {lendPackages} from './lend-packages.js';

export interface Preparing extends Compiling {
  readonly catalog: Catalog;
  /** Whether to compile, where there is something to compile with. */
  readonly compile: boolean;
}

/** Lends what a plugin needs of this program, and compiles it. Throws KernelError PACKAGE_UNLENT or CODE_UNCOMPILED. */
export async function preparePlugin({catalog, compile, ...compiling}: Preparing): Promise<void> {
  await lendPackages(compiling.root, catalog);
  if (compile) await compilePlugin(compiling);
}
