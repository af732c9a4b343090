/** A process above this one. */
export interface Ancestor {
  readonly pid: number;
  /** Without its folder: `zsh`, `code`. */
  readonly name: string;
  /** With its arguments, if known. */
  readonly command: string;
}

/** A line of a process table. */
export interface ProcessEntry extends Ancestor {
  readonly parent: number;
  /** When it started, in milliseconds since 1970, if known. */
  readonly started?: number;
}

/** A longer chain indicates a fault in the table. */
export const MOST_ANCESTORS = 64;

/** The chain of processes in a table, from a process up, starting with itself. */
export function climb(table: readonly ProcessEntry[], from: number): readonly Ancestor[] {
  const byPid = new Map(table.map((entry) => [entry.pid, entry]));
  const chain: Ancestor[] = [];
  let entry = byPid.get(from);
  while (entry && chain.length < MOST_ANCESTORS && !chain.some(({pid}) => pid === entry?.pid)) {
    const {pid, name, command, parent, started = Infinity}: ProcessEntry = entry;
    chain.push({pid, name, command});
    const above = byPid.get(parent);
    // Windows reuses the number of a parent that has ended.
    entry = above && (above.started ?? 0) <= started ? above : undefined;
  }
  return chain;
}

/** The name of a program, from its command line: a login shell has a dash before it. */
export function nameOf(command: string): string {
  const first = command.trim().split(/\s+/)[0] ?? '';
  return (first.split(/[\\/]/).pop() ?? '').replace(/^-/, '').replace(/\.exe$/i, '');
}
