/** The home of the person in a picture: as long as the folder that it stands for, so that lines break alike. */
export const SHOWN_HOME = '/home/you';

/** A number of milliseconds in a table keeps its column. */
const inColumn = (found: string): string => '1.2 ms'.padStart(found.length);

type Rule = readonly [pattern: RegExp, shown: string | ((found: string) => string)];

/** What differs from run to run, and what a picture shows in its place. */
const RULES: readonly Rule[] = [
  // A command says what it waits for only when it is slow.
  [/^(?:Getting|Looking for) [^\r\n]* …\r?\n/gm, ''],
  [/(?<=^|\n|load|create) +\d+\.\d+ ms/g, inColumn],
  [
    /(?<![\w.;[])\d+(?:\.\d+)? (?:ms|s)\b(?! ·)|(?<=\u001b\[2m)\d+(?:\.\d+)? (?:ms|s)\b(?! ·)/g,
    (found) => (found === '1.2 ms' ? found : '12 ms'),
  ],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '3f2a9c1e-5b7d-4e60-9a8f-1c2d3e4f5a6b'],
  [/(?<=__)[\da-f]{8}(?=-\d)/g, '3f2a9c1e'],
  [/\b20\d\d-\d\d-\d\d \d\d:\d\d(?::\d\d)?/g, '2026-01-05 09:30:00'],
  [/\bnode \d+\.\d+\.\d+/g, 'node 22.0.0'],
];

export interface Stood {
  /** The home that the run had. */
  readonly home: string;
  /** The version of the product. */
  readonly version: string;
}

/** Replaces what differs from run to run in all that a terminal was written. */
export function normalise(output: string, {home, version}: Stood): string {
  const named = output.replaceAll(home, SHOWN_HOME).replaceAll(version, '1.0.0');
  return RULES.reduce(
    (text, [pattern, shown]) => text.replace(pattern, typeof shown === 'string' ? () => shown : shown),
    named,
  );
}
