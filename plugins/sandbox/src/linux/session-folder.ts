import {chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {isProcess} from '@gemini-kernel/files/writing';

const PREFIX = 'gemini-sandbox-';
const PRIVATE = 0o700;

/** The folder of one gemini, for its owner only, with what confined programs write outside the workspace. */
export interface SessionFolder {
  readonly path: string;
  /** For temporary files. */
  readonly temporary: string;
  /** A file without content, for what is masked. */
  readonly empty: string;
}

/** Makes the folder, and removes those of programs that were killed. */
export function makeSessionFolder(below: string, pid: number): SessionFolder {
  mkdirSync(below, {recursive: true});
  sweep(below);
  const path = mkdtempSync(join(below, `${PREFIX}${pid}-`));
  const temporary = join(path, 'tmp');
  mkdirSync(temporary, {mode: PRIVATE});
  chmodSync(temporary, 0o1777);
  const empty = join(path, 'empty');
  writeFileSync(empty, '', {mode: 0o444, flag: 'wx'});
  return {path, temporary, empty};
}

/** Removes the folder with everything in it. A program may have taken away its own rights. */
export function removeSessionFolder(path: string): void {
  attempt(() => rmSync(path, {recursive: true, force: true, maxRetries: 2}));
}

function sweep(below: string): void {
  attempt(() => {
    for (const name of readdirSync(below)) {
      const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
      if (pid === undefined || isProcess(Number(pid))) continue;
      const path = join(below, name);
      // Anyone can make a name here; only a folder of the same user is removed, by the rights of that user.
      if (lstatSync(path).isDirectory()) removeSessionFolder(path);
    }
  });
}

function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  }
}
