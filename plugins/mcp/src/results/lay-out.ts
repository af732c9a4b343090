/** `read_file` cuts longer lines. */
const LONGEST_LINE = 2000;

/** A text in lines that can be read in parts: JSON is indented, and lines that are still too long are broken. */
export function layOut(text: string): string {
  const lines = text.split('\n');
  if (lines.every(fits)) return text;
  return (indent(text)?.split('\n') ?? lines).flatMap(breakLine).join('\n');
}

function indent(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // It only begins like JSON.
    return undefined;
  }
}

function breakLine(line: string): readonly string[] {
  if (fits(line)) return [line];
  const pieces: string[] = [];
  for (let at = 0; at < line.length;) {
    let end = Math.min(at + LONGEST_LINE, line.length);
    // A character of two units stays whole.
    if (end < line.length && /[\uD800-\uDBFF]/.test(line[end - 1] ?? '')) end -= 1;
    pieces.push(line.slice(at, end));
    at = end;
  }
  return pieces;
}

function fits(line: string): boolean {
  return line.length <= LONGEST_LINE;
}
