import {existsSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {FOLDERS, listModules} from './contributions.js';

/** Compiled contributions without a source, relative to the plugin; they would still be built and packed. */
export async function findStaleModules(root: string): Promise<readonly string[]> {
  if (!existsSync(join(root, 'src'))) return [];
  const lists = await Promise.all(FOLDERS.map((folder) => listModules(join(root, 'dist', folder))));
  const modules = lists.flat().map((file) => relative(root, file).split(sep).join('/'));
  return modules.filter((module) => {
    const stem = module.replace(/^dist\//, 'src/').replace(/\.m?js$/, '');
    return !['.ts', '.mts', '.tsx', '.js', '.mjs'].some((ending) => existsSync(join(root, `${stem}${ending}`)));
  });
}

export function describeStale(module: string): string {
  return `${module} has no source in src. Remove the file, or all of dist, and compile again.`;
}

/** Removes them, with the files that the compiler wrote beside each. */
export async function removeStaleModules(root: string): Promise<readonly string[]> {
  const stale = await findStaleModules(root);
  for (const module of stale) {
    const types = module.replace(/js$/, 'ts').replace(/(\.m?ts)$/, '.d$1');
    for (const file of [module, `${module}.map`, types, `${types}.map`]) await rm(join(root, file), {force: true});
  }
  return stale;
}
