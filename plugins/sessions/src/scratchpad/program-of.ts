const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const PLAIN_NAME = /^[\w.@+-]+$/;
/** What is said instead of a name that could be anything. */
const UNNAMED = 'shell';

/** The program that a shell line starts with, without its folder: nothing of its arguments, which can be secret. */
export function programOf(line: string): string | undefined {
  const word = wordsOf(line).find((one) => !ASSIGNMENT.test(one));
  if (word === undefined) return undefined;
  const name = word.split(/[\\/]/).findLast((part) => part !== '') ?? word;
  return PLAIN_NAME.test(name) ? name : UNNAMED;
}

/** The words of a line, without quotes. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"?|'[^']*'?|`[^`]*`?|[^\s"'`])+/gs) ?? [];
  return words.map((word) => word.replaceAll(/["'`]/g, '')).filter((word) => word !== '');
}
