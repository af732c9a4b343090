import {closeSync, openSync, readSync} from 'node:fs';
import {MOST_ANCESTORS, nameOf, type Ancestor} from './ancestor.js';

/** The start of a command line identifies the program; the rest are its arguments. */
const MOST_BYTES = 4096;

/** The chain of processes from a process up, read from /proc without starting a process. */
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
    // The name is in parentheses and may contain parentheses and spaces itself, so the last one counts.
    const end = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const parent = Number(stat.slice(end + 2).split(' ')[1]);
    const words = Buffer.from(read(`/proc/${pid}/cmdline`), 'latin1')
      .toString('utf8')
      .split('\0');
    const command = words.join(' ').trim();
    // A script has the name of its file; for a shell, the started command says more. A kernel process has no command.
    const isWhole = words[0] === name || words[0]?.endsWith(`/${name}`);
    return {
      ancestor: {pid, name: (isWhole ? name : nameOf(words[0] ?? '')) || name, command: command || name},
      parent: Number.isInteger(parent) ? parent : 0,
    };
  } catch {
    // It has ended, or belongs to a user whose processes are hidden.
    return undefined;
  }
}

/** The start of a file of unknown size, with a single read. */
function readStart(path: string): string {
  const handle = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(MOST_BYTES);
    return bytes.toString('latin1', 0, readSync(handle, bytes, 0, MOST_BYTES, null));
  } finally {
    closeSync(handle);
  }
}
