import type {Catalog} from '@gemini-kernel/kernel/host';

/**
 * Of what a command in a process of its own says that it was given for flags of other plugins, what really stands in
 * the line: a plugin loosens nothing by a flag that the person did not write.
 */
export function givenFlags(
  given: Readonly<Record<string, unknown>>,
  argv: readonly string[],
  {flags}: Pick<Catalog, 'flags'>,
): Readonly<Record<string, unknown>> {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const words = argv.slice(0, end);
  const stands = (setting: string, value: unknown): boolean =>
    [...flags.values()].some(
      (flag) => flag.setting === setting && isWritten(words, flag, Array.isArray(value) ? value : [value]),
    );
  return Object.fromEntries(Object.entries(given).filter(([setting, value]) => stands(setting, value)));
}

interface Flag {
  readonly name: string;
  readonly char?: string;
  readonly value?: unknown;
}

function isWritten(words: readonly string[], {name, char, value: own}: Flag, values: readonly unknown[]): boolean {
  const names = [`--${name}`, ...(char === undefined ? [] : [`-${char}`])];
  return values.every((value) => {
    if (value === false) return words.includes(`--no-${name}`);
    if (value === true || value === own) return names.some((one) => words.includes(one));
    return words.some(
      (word, index) =>
        (names.includes(word) && words[index + 1] === value) ||
        names.some(
          (one) => word === `${one}=${String(value)}` || (one === `-${char}` && word === `${one}${String(value)}`),
        ),
    );
  });
}
