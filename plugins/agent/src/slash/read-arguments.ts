import type {CommandArgument} from '../contract.js';
import {splitWords} from '../slash-line.js';

/** The typed arguments of a command. */
export interface ReadArguments {
  readonly values: Readonly<Record<string, string>>;
  /** Required arguments without a value. */
  readonly missing: readonly CommandArgument[];
  /** Words that match no argument. */
  readonly left: readonly string[];
}

/**
 * Reads `--name=value`, `--name="value"` and words. Words fill the required arguments in order; if only one of them has
 * no value, it takes all words.
 */
export function readArguments(text: string, declared: readonly CommandArgument[]): ReadArguments {
  const values: Record<string, string> = {};
  const words: string[] = [];
  for (const word of splitWords(joinNamed(text))) {
    const [, name = '', value = ''] = /^--([^=\s]+)=(.*)$/s.exec(word) ?? [];
    if (declared.some((one) => one.name === name)) values[name] = value;
    else words.push(word);
  }
  const open = declared.filter(({name, isRequired}) => isRequired && !Object.hasOwn(values, name));
  const [only, another] = open;
  if (only && !another && words.length > 0) return {values: {...values, [only.name]: words.join(' ')}, ...none};
  const given = open.slice(0, words.length);
  given.forEach(({name}, index) => (values[name] = words[index] ?? ''));
  return {values, missing: open.slice(given.length), left: words.slice(given.length)};
}

const none = {missing: [], left: []};

/** `--name="a b"` as one word. */
function joinNamed(text: string): string {
  return text.replace(/(^|\s)(--[^=\s"']+=)"((?:\\.|[^"\\])*)"/gs, '$1"$2$3"');
}

/** The argument at the end of a text that is being typed, and its current value. */
export function argumentAtEnd(
  text: string,
  declared: readonly CommandArgument[],
): {readonly argument: string; readonly prefix: string; readonly values: ReadArguments['values']} | undefined {
  const prefix = /\S*$/.exec(text)?.[0] ?? '';
  const before = readArguments(text.slice(0, text.length - prefix.length), declared);
  const [, name, value = ''] = /^--([^=\s]+)=(.*)$/s.exec(prefix) ?? [];
  if (name !== undefined)
    return declared.some((one) => one.name === name)
      ? {argument: name, prefix: value, values: before.values}
      : undefined;
  // A single required argument takes all words, so the next word belongs to it as well.
  const next = before.missing[0] ?? declared.filter(({isRequired}) => isRequired).at(-1);
  return next && {argument: next.name, prefix, values: before.values};
}
