/** `{{args}}`, and `{{args.1}}` to `{{args.9}}` for single words. */
export const ARGUMENTS = '\\{\\{args(?:\\.([1-9]))?\\}\\}';

/** The placeholder of arguments that begins at an index. */
export interface FoundArguments {
  readonly text: string;
  readonly position?: number;
}

export function findArguments(text: string, at: number): FoundArguments | undefined {
  const pattern = new RegExp(ARGUMENTS, 'y');
  pattern.lastIndex = at;
  const [found, position] = pattern.exec(text) ?? [];
  if (found === undefined) return undefined;
  return {text: found, ...(position === undefined ? {} : {position: Number(position)})};
}

/** Where the first placeholder of arguments in a text is; -1 without one. */
export function indexOfArguments(text: string): number {
  return text.search(new RegExp(ARGUMENTS));
}

/** The words of typed arguments, as a shell would split them. */
export function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\]|['"\\])+/gs) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single?: string, double?: string, one?: string) =>
      double === undefined ? (single ?? one ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}
