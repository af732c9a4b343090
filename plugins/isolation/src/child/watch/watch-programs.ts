import child from 'node:child_process';
import {basename} from 'node:path';
import type {Noted} from './noted.js';
import {isRefusal, replace} from './replace.js';

const STARTING = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'];

/** Notes the programs that are started, by the names of their files. */
export function watchPrograms(noted: Noted): void {
  for (const name of STARTING)
    replace(child, name, {
      ended([file], error) {
        // The first word of a line for the shell; its other words are no one's business.
        const program = basename(String(file).trim().split(/\s/)[0] ?? '');
        if (isRefusal(error)) noted.add(`process:${program}`, 'refused');
        else noted.add('process', 'used');
      },
    });
}
