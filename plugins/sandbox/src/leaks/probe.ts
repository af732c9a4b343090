/** One thing that is tried from inside. */
export interface Probe {
  /** Unique, such as `read.ssh-key`. */
  readonly id: string;
  /** `contained`: it must not succeed. `works`: it must. */
  readonly kind: 'contained' | 'works';
  readonly what: string;
  /**
   * Lines for sh, which run in the project. `contained`: they print the canary, or LEAK, when they succeed. `works`:
   * they print WORKS.
   */
  readonly script: string;
  /** Paths below the laboratory that must be afterwards as they were, whatever was printed. */
  readonly keeps?: readonly string[];
  /** The program that it needs inside. */
  readonly needs?: string;
}

/** Probes of one kind: each row is the end of its id, what it tries, and its lines. */
export function contained(
  group: string,
  rows: readonly (readonly [name: string, what: string, script: string, ...keeps: string[]])[],
): readonly Probe[] {
  return rows.map(([name, what, script, ...keeps]) => ({
    id: `${group}.${name}`,
    kind: 'contained',
    what,
    script,
    ...(keeps.length > 0 ? {keeps} : {}),
    ...needsOf(script),
  }));
}

/** The same for what must work. */
export function working(rows: readonly (readonly [name: string, what: string, script: string])[]): readonly Probe[] {
  return rows.map(([name, what, script]) => ({id: `works.${name}`, kind: 'works', what, script, ...needsOf(script)}));
}

function needsOf(script: string): {readonly needs?: string} {
  const needs = ['perl', 'git'].find((program) => new RegExp(`(?:^|[\\s;&|(])${program} `).test(script));
  return needs === undefined ? {} : {needs};
}
