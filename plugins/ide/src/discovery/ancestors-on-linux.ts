import {closeSync, openSync, readSync} from 'node:fs';
import {MOST_ANCESTORS, nameOf, type Ancestor} from './ancestor.js';

/** What tells a program stands at the start; what follows are words for it. */
const MOST_BYTES = 4096;

/** The chain from a process up, read from /proc: no process is started for it. */
export function readAncestorsOnLinux(from: number, read: (path: string) => string = readStart): readonly Ancestor[] {
  const chain: Ancestor[] = [];
  for (let pid = from; pid > 0 && chain.length < MOST_ANCESTORS;) {
    const found = readProcess(pid, read);
    if (!found) break;
    chain.push(found.ancestor);
    pid = found.parent;
  }
  return chain;
}

function readProcess(
  pid: number,
  read: (path: string) => string,
): {readonly ancestor: Ancestor; readonly parent: number} | undefined {
  try {
    const stat = read(`/proc/${pid}/stat`);
    // The name stands in brackets and may hold brackets and blanks itself, so the last one counts.
    const end = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const parent = Number(stat.slice(end + 2).split(' ')[1]);
    const words = Buffer.from(read(`/proc/${pid}/cmdline`), 'latin1')
      .toString('utf8')
      .split('\0');
    const command = words.join(' ').trim();
    // A script has the name of its file; what was started says more about a shell. A kernel's own process was not
    // started.
    const isWhole = words[0] === name || words[0]?.endsWith(`/${name}`);
    return {
      ancestor: {pid, name: (isWhole ? name : nameOf(words[0] ?? '')) || name, command: command || name},
      parent: Number.isInteger(parent) ? parent : 0,
    };
  } catch {
    // It has ended meanwhile, or belongs to somebody whose processes are hidden.
    return undefined;
  }
}

/** The start of a file whose size the system does not know, by a single look. */
function readStart(path: string): string {
  const handle = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(MOST_BYTES);
    return bytes.toString('latin1', 0, readSync(handle, bytes, 0, MOST_BYTES, null));
  } finally {
    closeSync(handle);
  }
}
