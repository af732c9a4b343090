const OMISSION = /^(?:\/\/)?\s*\(?\s*(?:rest of(?: methods?| code)?|unchanged (?:code|methods?))\s*\.{3,}\s*\)?$/i;

/** The lines that are placeholders for omitted code, such as `// rest of code ...`. */
export function omissionsIn(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => OMISSION.test(line));
}
