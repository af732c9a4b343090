import type {SlashCommand} from './contract.js';

/** The words of a line, split as a shell would: quotes and backslashes keep spaces together. */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  for (const [, single, double, bare] of line.matchAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|((?:\\.|[^\s'"\\])+)/gs)) {
    words.push(single ?? (double ?? bare ?? '').replace(/\\(.)/gs, '$1'));
  }
  return words;
}

/** The words of a line like `/directory add ../lib`, if they start with those of a command. */
export function findSlash(line: string, commands: readonly SlashCommand[]): readonly string[] | undefined {
  if (!/^\/[A-Za-z]/.test(line)) return undefined;
  const words = splitWords(line.slice(1));
  return commands.some(({words: known}) => known.every((word, index) => word === words[index])) ? words : undefined;
}
