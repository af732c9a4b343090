import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import {isProcess} from '@gemini-kernel/files/writing';

/** An empty folder with this mode was made here: nothing else makes one with a sticky bit. */
const OURS = 0o1755;
const COMMON = '.\n';
/** How often, and after how long, what is still mounted is looked at again. */
const TRIES = 5;
const PAUSE_MS = 50;

/**
 * Names that must exist so that something can be mounted on them: else a confined program could make them. What is
 * missing is made, as an empty folder, which git does not see, and removed when no one uses it any longer.
 */
export class MadeNames {
  readonly #folders = new Set<string>();
  readonly #files = new Set<string>();

  /** Makes an empty folder where nothing is. Nothing when the name cannot be made, so that no program can make it. */
  folder(path: string): readonly {readonly path: string; readonly isOurs: boolean}[] {
    if (lstatSync(path, {throwIfNoEntry: false})) {
      const isMade = isOurs(path);
      if (isMade) this.#folders.add(path);
      return [{path, isOurs: isMade}];
    }
    try {
      mkdirSync(path);
      chmodSync(path, OURS);
    } catch (error) {
      failed(error);
      return [];
    }
    this.#folders.add(path);
    return [{path, isOurs: true}];
  }

  /** Makes the file that says that a repository has its settings where it is, which is so without it too. */
  commonFolder(path: string): boolean {
    try {
      writeFileSync(path, COMMON, {flag: 'wx', mode: 0o644});
      this.#files.add(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return failed(error);
      if (readSmall(path) === COMMON) this.#files.add(path);
    }
    return true;
  }

  /** Removes what was made and is still empty, unless another gemini has mounted something on it. */
  close(): void {
    const made = [...this.#folders, ...this.#files];
    for (let left = TRIES; made.length > 0 && left > 0; left -= 1) {
      const used = mountPoints();
      if (!made.some((path) => used.has(path))) left = 1;
      for (const path of this.#folders) if (!used.has(path) && isOurs(path)) attempt(() => rmdirSync(path));
      for (const path of this.#files)
        if (!used.has(path) && readSmall(path) === COMMON) attempt(() => unlinkSync(path));
      // The system needs a moment to end what a command has left.
      if (left > 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

/** Whether a folder is an empty one that was made here, by this program or one that was killed. */
export function isOurs(path: string): boolean {
  const found = lstatSync(path, {throwIfNoEntry: false});
  return found?.isDirectory() === true && (found.mode & 0o7777) === OURS && readdirSync(path).length === 0;
}

function readSmall(path: string): string | undefined {
  const found = lstatSync(path, {throwIfNoEntry: false});
  // A file of this size cannot be something that waits when it is read.
  return found?.isFile() && found.size === COMMON.length ? readFileSync(path, 'utf8') : undefined;
}

/** What is mounted in any other process that can be looked at. */
function mountPoints(): ReadonlySet<string> {
  const points = new Set<string>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !isProcess(Number(name))) continue;
    attempt(() => {
      for (const line of readFileSync(`/proc/${name}/mountinfo`, 'utf8').split('\n'))
        points.add((line.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, code: string) => octal(code)));
    });
  }
  return points;
}

function octal(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 8));
}

function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    failed(error);
  }
}

function failed(error: unknown): false {
  if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  return false;
}
