import {readdirSync, readFileSync} from 'node:fs';

/** The ids of processes that this one started and that run, or are not waited for yet. */
export function childProcesses(): readonly number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => parentOf(id) === process.pid).map(Number);
}

/** How many threads this process has. */
export function threadCount(): number {
  return readdirSync('/proc/self/task').length;
}

function parentOf(id: string): number | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch (error) {
    // It has ended meanwhile.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}
