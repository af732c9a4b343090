const OMISSION = /^(?:\/\/)?\s*\(?\s*(?:rest of(?: methods?| code)?|unchanged (?:code|methods?))\s*\.{3,}\s*\)?$/i;

/** The lines that stand for code left out, such as `// rest of code ...`, and not for themselves. */
export function omissionsIn(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => OMISSION.test(line));
}
