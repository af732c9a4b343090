import {chmod, writeFile} from 'node:fs/promises';
import {makeFilter} from './seccomp/filter.js';
import {filterFile} from './seccomp/filter-file.js';
import {makeStarter} from './starter/make-starter.js';
import {starterFile} from './starter/starter-file.js';

/** Makes the filters of system calls and the starters, once for all starts. */
export async function build(): Promise<void> {
  for (const machine of ['x64', 'arm64'] as const) {
    for (const isBefore of [false, true]) await writeFile(filterFile(machine, isBefore), makeFilter(machine, isBefore));
    await writeFile(starterFile(machine), makeStarter(machine));
    // Outside it opens paths to sandboxes that run.
    await chmod(starterFile(machine), 0o755);
  }
}
