import {readdirSync, readFileSync} from 'node:fs';
import {execFile} from 'node:child_process';
import {basename, dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {ASKED, OPEN} from '../starter/way.js';

const PATIENCE_MS = 5000;
/** A process can end while it is looked at, and the kernel does not show all of them. */
const MOST_TRIED = 4;

/**
 * Opens a path for writing to a sandbox that runs: the one with this socket in it. Gives whether the system did it. The
 * starter enters the sandbox for that; the programs in it have no right to mount anything.
 */
export async function openPath(starter: string, socket: string, path: string): Promise<boolean> {
  for (const space of namespacesWith(socket).slice(0, MOST_TRIED)) {
    const isOpened = await promisify(execFile)(starter, [OPEN, space, path], {
      timeout: PATIENCE_MS,
      env: {},
      cwd: '/',
    }).then(
      () => true,
      () => false,
    );
    if (isOpened) return true;
  }
  return false;
}

/** The newest processes first: what asks is one of them, and it waits. */
function namespacesWith(socket: string): readonly string[] {
  const mark = `${basename(dirname(socket))}/${basename(socket)} ${ASKED} `;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .toSorted((a, b) => Number(b) - Number(a))
    .filter((name) => mountsOf(name).includes(mark))
    .map((name) => join('/proc', name, 'ns', 'mnt'));
}

function mountsOf(name: string): string {
  try {
    return readFileSync(join('/proc', name, 'mountinfo'), 'utf8');
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return '';
  }
}
