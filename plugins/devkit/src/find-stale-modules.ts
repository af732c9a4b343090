import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Manifest} from '@gemini-kernel/kernel/host';

/** A sentence for each compiled contribution whose source is gone: it would be built and packed all the same. */
export function findStaleModules(root: string, {tools, services, listeners, commands}: Manifest): readonly string[] {
  if (!existsSync(join(root, 'src'))) return [];
  return [...tools, ...services, ...listeners, ...commands].flatMap(({module}) => {
    const stem = module.replace('./dist/', 'src/');
    const sources = [stem.replace(/\.js$/, '.ts').replace(/\.mjs$/, '.mts'), stem.replace(/\.js$/, '.tsx'), stem];
    return sources.some((source) => existsSync(join(root, source))) ? [] : [`${module} has no source ${sources[0] ?? ''}. Remove the file, or all of dist, and compile again.`];
  });
}
