import {DIGITS, unique} from './shape.js';

/** What is known of variables at one place of a line, and what of them is never known. */
export interface Variables {
  /** The texts that a variable may hold, as shapes. One that is not here may hold anything. */
  variables: ReadonlyMap<string, readonly string[]>;
  /** Those that the line sets anywhere so far. Others are the person's own. */
  readonly everSet: Set<string>;
  /** Those whose value bash changes, or keeps, whatever they are set to. */
  readonly fixed: Set<string>;
  /**
   * Options of the shell were changed: globs go deeper and match what is hidden, or it is unknown what they match.
   */
  globs: 'plain' | 'deep' | 'any';
  /** Words end at other characters than blanks. */
  hasOddSplits: boolean;
  /** Whether the next `read` keeps lines as they are; undefined where nothing is said. */
  readsWhole: boolean | undefined;
  /** Something unreadable may have set any variable. */
  isOpaque: boolean;
}

/** Variables that bash itself sets. */
export const OF_BASH =
  /^(?:_|BASH\w*|COLUMNS|EUID|HOST\w+|IFS|LINES|MACHTYPE|OPTERR|OPTIND|OSTYPE|PIPESTATUS|PPID|PS\d|SHELLOPTS|SHLVL|UID|COMP_\w+|DIRSTACK|EPOCH\w+|FUNCNAME|GROUPS|HISTCMD|LINENO|OLDPWD|OPTARG|PWD|RANDOM|REPLY|SECONDS|SRANDOM)$/;

/** Notes what a variable may hold from here on; without values, anything. */
export function setVariable(walk: Variables, name: string, values?: readonly string[]): void {
  walk.everSet.add(name);
  if (name === 'IFS') walk.hasOddSplits = true;
  if (name === 'GLOBIGNORE' && walk.globs === 'plain') walk.globs = 'deep';
  const next = new Map(walk.variables);
  if (values === undefined || walk.fixed.has(name) || OF_BASH.test(name)) next.delete(name);
  else next.set(name, unique(values));
  walk.variables = next;
}

/** Notes that a variable may also hold something else than it does. */
export function widenVariable(walk: Variables, name: string, values: readonly string[]): void {
  const known = walk.variables.get(name);
  setVariable(walk, name, known ? [...known, ...values] : undefined);
}

/** Notes that it is unknown what a variable holds, now and later. */
export function fixVariable(walk: Variables, name: string): void {
  walk.fixed.add(name);
  setVariable(walk, name);
}

/** Notes that a computation may set a variable. */
export function countVariable(walk: Variables, name: string): void {
  widenVariable(walk, name, [DIGITS, `-${DIGITS}`]);
}

/** Notes that any variable may hold anything. */
export function forgetVariables(walk: Variables, isOpaque = false): void {
  walk.isOpaque ||= isOpaque;
  for (const name of walk.variables.keys()) walk.everSet.add(name);
  walk.variables = new Map();
}

/** What is known where two ways meet. */
export function mergeVariables(a: Variables['variables'], b: Variables['variables']): Variables['variables'] {
  if (a === b) return a;
  const merged = new Map<string, readonly string[]>();
  for (const [name, values] of a) {
    const others = b.get(name);
    if (others) merged.set(name, values === others ? values : unique([...values, ...others]));
  }
  return merged;
}

/** Whether the second says no more than the first. */
export function coversVariables(a: Variables['variables'], b: Variables['variables']): boolean {
  return [...a].every(([name, values]) => b.get(name)?.every((value) => values.includes(value)) === true);
}

/**
 * Goes through something that runs at an unknown time: nothing is known there, and what it sets may be set at any time.
 */
export function walkApart(walk: Variables, visit: () => void): void {
  const {variables} = walk;
  const before = [...walk.everSet, ...variables.keys()];
  forgetVariables(walk);
  walk.everSet.clear();
  visit();
  walk.variables = variables;
  for (const name of walk.everSet) fixVariable(walk, name);
  for (const name of before) walk.everSet.add(name);
}
