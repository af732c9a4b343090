import {existsSync, lstatSync, mkdirSync, realpathSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';

/**
 * Puts links to the kernel and the oclif of a program above a store, so that a plugin without copies of its own finds
 * them.
 */
export function lendPackages(store: string, program: string): void {
  for (const [name, target] of [
    ['@gemini-kernel/kernel', 'kernel'],
    ['@gemini-kernel/command', join('kernel', 'command')],
    ['@oclif/core', join('node_modules', '@oclif', 'core')],
  ] as const) {
    const link = join(dirname(store), 'node_modules', name);
    const found = lstatSync(link, {throwIfNoEntry: false});
    // A folder is a copy of its own, and a link that leads there already may be in use.
    if (found && (!found.isSymbolicLink() || leadsTo(link, join(program, target)))) continue;
    rmSync(link, {force: true});
    mkdirSync(dirname(link), {recursive: true, mode: 0o755});
    try {
      symlinkSync(join(program, target), link, 'junction');
    } catch (error) {
      // Another start has just made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function leadsTo(link: string, target: string): boolean {
  return existsSync(link) && realpathSync(link) === realpathSync(target);
}
