import {writeFile} from 'node:fs/promises';
import {makeFilter} from './seccomp/filter.js';
import {filterFile} from './seccomp/filter-file.js';

/** Makes the filters of system calls, once for all starts. */
export async function build(): Promise<void> {
  for (const machine of ['x64', 'arm64'] as const) await writeFile(filterFile(machine), makeFilter(machine));
}
