import {cutWord} from './source.js';
import type {ShellWord} from './syntax.js';

/** The value of one of some options, should this word be one, abbreviated or not; null when it has none. */
export function takeOption(
  word: ShellWord,
  next: ShellWord | undefined,
  options: readonly string[] = [],
): ShellWord | null | undefined {
  for (const option of options) {
    const value = option.startsWith('--') ? takeLong(word, next, option) : takeLetter(word, next, option);
    if (value !== undefined) return value;
  }
  return undefined;
}

type Taken = ShellWord | null | undefined;

function takeLong(word: ShellWord, next: ShellWord | undefined, option: string): Taken {
  const [head, name, equals] = /^(--[\w-]+)(=?)/.exec(word.lead) ?? [];
  if (head === undefined || name === undefined || !option.startsWith(name)) return undefined;
  return equals === '=' ? cutWord(word, head.length) : (next ?? null);
}

function takeLetter(word: ShellWord, next: ShellWord | undefined, option: string): Taken {
  const letter = option[1] as string;
  const cluster = /^-(\w*)/.exec(word.lead)?.[1] ?? '';
  if (word.lead.startsWith('--') || !cluster.includes(letter)) return undefined;
  if (word.value === option || isLastOf(cluster, letter, word.value)) return next ?? null;
  return cluster.startsWith(letter) ? cutWord(word, 2) : null;
}

/** Whether a letter is the last of several, and nothing stands behind them in the word. */
function isLastOf(cluster: string, letter: string, value: string | undefined): boolean {
  return cluster.length > 1 && cluster.endsWith(letter) && value?.length === cluster.length + 1;
}
