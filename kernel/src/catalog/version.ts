/** The version that a plugin's `kernel` range is held against; a test keeps it equal to the package's. */
export const KERNEL_VERSION = '0.2.0';

type Triple = readonly [number, number, number];

function parse(text: string): Triple | undefined {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(text.trim());
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
}

function compare(a: Triple, b: Triple): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The first version that differs from this one in its first `parts` numbers, upwards. */
function above([major, minor, patch]: Triple, parts: number): Triple {
  if (parts === 1) return [major + 1, 0, 0];
  return parts === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/**
 * Whether a version lies in a range made of `*`, `1`, `1.2`, `1.2.3`, `^`, `~`, `>=`, `>`, `<=`, `<`, spaces (and) and
 * `||` (or).
 */
export function satisfies(version: string, range: string): boolean {
  const found = parse(version);
  return (
    found !== undefined &&
    range.split('||').some((part) =>
      part
        .trim()
        .replaceAll(/([<>=^~])\s+/g, '$1')
        .split(/\s+/)
        .every((term) => accepts(found, term)),
    )
  );
}

/** What each operator accepts, given the version it stands before and how many numbers of that were written. */
const operators: Readonly<Record<string, (found: Triple, wanted: Triple, given: number) => boolean>> = {
  '>=': (found, wanted) => compare(found, wanted) >= 0,
  '<': (found, wanted) => compare(found, wanted) < 0,
  '>': (found, wanted, given) => compare(found, above(wanted, given)) >= 0,
  '<=': (found, wanted, given) => compare(found, above(wanted, given)) < 0,
  '^': (found, wanted, given) => isWithin(found, wanted, partsOfCaret(wanted, given)),
  '~': (found, wanted, given) => isWithin(found, wanted, Math.min(2, given)),
  '=': (found, wanted, given) => isWithin(found, wanted, given),
};

function accepts(version: Triple, term: string): boolean {
  if (['', '*', 'x'].includes(term)) return true;
  const [, operator = '=', text = ''] = /^(\^|~|>=|<=|>|<|=)?(.*)$/.exec(term.replace(/(\.[x*])+$/, '')) ?? [];
  const wanted = parse(text);
  return wanted !== undefined && (operators[operator]?.(version, wanted, text.split('.').length) ?? false);
}

function isWithin(found: Triple, wanted: Triple, parts: number): boolean {
  return compare(found, wanted) >= 0 && compare(found, above(wanted, parts)) < 0;
}

/** A caret keeps the first number that is not zero. */
function partsOfCaret([major, minor]: Triple, given: number): number {
  if (major > 0) return 1;
  return minor > 0 || given < 3 ? 2 : 3;
}
