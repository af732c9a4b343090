import type {ShellWord} from './syntax.js';

/** The words of a builtin, sorted. */
export interface BuiltinOptions {
  /** The words that are no options. */
  readonly operands: readonly ShellWord[];
  /** By their letters, each with its value. */
  readonly options: ReadonlyMap<string, ShellWord | undefined>;
}

/** Sorts the words of a builtin into options and operands; letters in `values` take the next word along. */
export function readBuiltinOptions(words: readonly ShellWord[], values: string): BuiltinOptions {
  const options = new Map<string, ShellWord | undefined>();
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const {value} = word;
    if (value === '--') return {operands: words.slice(at + 1), options};
    if (value === undefined || !/^-./.test(value)) break;
    if (readLetters(word, value, {values, options, next: words[at + 1]})) at += 1;
  }
  return {operands: words.slice(at), options};
}

interface Letters {
  readonly values: string;
  readonly options: Map<string, ShellWord | undefined>;
  readonly next: ShellWord | undefined;
}

/** Reads the letters of one word; true when the next word is the value of the last. */
function readLetters(word: ShellWord, text: string, {values, options, next}: Letters): boolean {
  for (let letter = 1; letter < text.length; letter += 1) {
    const option = text[letter] as string;
    if (!values.includes(option)) {
      options.set(option, undefined);
      continue;
    }
    const rest = text.slice(letter + 1);
    options.set(option, rest === '' ? next : {...word, value: rest, lead: rest});
    return rest === '';
  }
  return false;
}
