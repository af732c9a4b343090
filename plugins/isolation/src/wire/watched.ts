/** What the process of a plugin needs to report what the plugin uses. */
export interface Watching {
  /** Absolute paths that are its own: its code, its data folder. */
  readonly own: readonly string[];
  /** What it is granted by path, with the capability that grants it; the most exact first. */
  readonly paths: readonly {readonly access: 'read' | 'write'; readonly path: string; readonly by: string}[];
  /** Variables that it declares. */
  readonly variables: readonly string[];
}

/** One thing that the process says the plugin used, or was refused. */
export interface Watched {
  readonly what: string;
  readonly outcome: 'used' | 'refused';
  readonly count: number;
}

const MOST_AT_ONCE = 200;
const LARGEST_COUNT = 1_000_000;
/** What only gemini itself sees is not taken from the plugin. */
const FORM = /^(?:fs:read|fs:write|process|net|env)(?::|$)/;

/** Reads what a process says. Throws an Error for what no such process of gemini sends. */
export function readWatched(value: unknown): readonly Watched[] {
  if (Array.isArray(value) && value.length <= MOST_AT_ONCE && value.every(isWatched)) return value;
  throw new Error('It sent a report of no known form.');
}

function isWatched(value: unknown): value is Watched {
  const {what, outcome, count} = (value ?? {}) as Partial<Record<keyof Watched, unknown>>;
  return (
    typeof what === 'string' &&
    FORM.test(what) &&
    (outcome === 'used' || outcome === 'refused') &&
    Number.isSafeInteger(count) &&
    Number(count) > 0 &&
    Number(count) <= LARGEST_COUNT
  );
}
