/** The version that a plugin's `kernel` range is held against; a test keeps it equal to the package's. */
export const KERNEL_VERSION = '0.1.0';

type Triple = readonly [number, number, number];

function parse(text: string): Triple | undefined {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(text.trim());
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
}

function compare(a: Triple, b: Triple): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function above(version: Triple, parts: number): Triple {
  return parts === 1
    ? [version[0] + 1, 0, 0]
    : parts === 2
      ? [version[0], version[1] + 1, 0]
      : [version[0], version[1], version[2] + 1];
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

function accepts(version: Triple, term: string): boolean {
  if (term === '' || term === '*' || term === 'x') return true;
  const [, operator = '', text = ''] = /^(\^|~|>=|<=|>|<|=)?(.*)$/.exec(term.replace(/(\.[x*])+$/, '')) ?? [];
  const wanted = parse(text);
  if (!wanted) return false;
  if (operator === '>=') return compare(version, wanted) >= 0;
  const given = text.split('.').length;
  if (operator === '>') return compare(version, above(wanted, given)) >= 0;
  if (operator === '<=') return compare(version, above(wanted, given)) < 0;
  if (operator === '<') return compare(version, wanted) < 0;
  const caret = wanted[0] > 0 ? 1 : wanted[1] > 0 || text.split('.').length < 3 ? 2 : 3;
  const parts =
    operator === '^' ? caret : operator === '~' ? Math.min(2, text.split('.').length) : text.split('.').length;
  return compare(version, wanted) >= 0 && compare(version, above(wanted, parts)) < 0;
}
