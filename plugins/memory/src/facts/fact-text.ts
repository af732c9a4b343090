/** Where facts that a model or a person adds are kept, as Gemini CLI has it. */
const HEADING = '## Gemini Added Memories';
const NOTE = / *<!-- saved [^>]*-->\s*$/;

/** What came of looking for a fact in a text, or of adding it. */
export interface Origin {
  /** A day, as 2026-11-24. */
  readonly day: string;
  /** Who said so: a session or a person. */
  readonly by: string;
}

/** A fact as one line; what would end the comment behind it, or open another one, is taken out. */
export function cleanFact(text: string): string {
  return text
    .replace(/<!--|-->/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^(?:[-*+] )+/, '')
    .trim();
}

/** A line without what does not make it another fact: bullets, spaces, capitals, the full stop, where it came from. */
export function essenceOf(line: string): string {
  return line
    .replace(NOTE, '')
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')
    .replace(/\s+/g, ' ')
    .replace(/[.!]\s*$/, '')
    .trim()
    .toLowerCase();
}

/** The number of the line that says the same; undefined when none does. */
export function findFact(text: string, fact: string): number | undefined {
  const wanted = essenceOf(fact);
  const at = text.split(/\r?\n/).findIndex((line) => essenceOf(line) === wanted);
  return at < 0 ? undefined : at + 1;
}

/** The line of a fact, with where it came from and when. */
export function lineOf(fact: string, {day, by}: Origin): string {
  return `- ${fact} <!-- saved ${day} by ${by} -->`;
}

/** The text with a line more below the heading of added facts, which is made if it is missing. */
export function addLine(text: string, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.replace(/(?:\r?\n)+$/, '').split(/\r?\n/);
  const heading = lines.indexOf(HEADING);
  if (heading < 0) {
    const gap = lines.length === 0 ? [] : [''];
    return [...lines, ...gap, HEADING, '', line, ''].join(end);
  }
  const next = lines.findIndex((one, index) => index > heading && /^#{1,2} /.test(one));
  const section = lines.slice(heading, next < 0 ? lines.length : next);
  while (section.at(-1)?.trim() === '') section.pop();
  const rest = next < 0 ? [] : ['', ...lines.slice(next)];
  const gap = section.length === 1 ? [''] : [];
  return [...lines.slice(0, heading), ...section, ...gap, line, ...rest, ''].join(end);
}
