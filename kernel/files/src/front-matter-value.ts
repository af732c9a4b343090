const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  '/': '/',
  '"': '"',
  '\\': '\\',
};

/** A text that is written plainly or in quotes, over one or more lines. */
export function readPlain(lines: readonly string[]): string {
  const text = fold(lines.map((line) => line.trim()));
  return readQuoted(text) ?? text.replace(/(^|\s)#.*$/s, '').trim();
}

/** The text between quotes; undefined when the text is not just that. */
function readQuoted(text: string): string | undefined {
  const [, double] = /^"((?:\\.|[^"\\])*)"\s*(?:#.*)?$/s.exec(text) ?? [];
  if (double !== undefined)
    return double.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gis, (all, x?: string, u?: string, one?: string) =>
      one === undefined ? String.fromCharCode(parseInt(x ?? u ?? '0', 16)) : (ESCAPES[one] ?? all),
    );
  const [, single] = /^'((?:''|[^'])*)'\s*(?:#.*)?$/s.exec(text) ?? [];
  return single?.replaceAll("''", "'");
}

/** A literal (`|`) or folded (`>`) text, with the end that its sign asks for. */
export function readBlock(sign: string, lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents, Number(/\d/.exec(sign)?.[0] ?? Infinity));
  const bare = lines.map((line) => (line.trim() === '' ? '' : line.slice(indent)));
  const text = (sign.startsWith('|') ? bare.join('\n') : fold(bare)).replace(/\n+$/, '');
  return sign.includes('-') || text === '' ? text : `${text}\n`;
}

/** Lines as one; an empty line is a line break, and a line that is indented further stays on its own. */
function fold(lines: readonly string[]): string {
  let text = '';
  let breaks = 0;
  let wasIndented = false;
  for (const line of lines) {
    if (line === '') {
      breaks += 1;
      continue;
    }
    const isIndented = /^\s/.test(line);
    if (text !== '') text += breaks > 0 ? '\n'.repeat(breaks) : isIndented || wasIndented ? '\n' : ' ';
    text += line;
    breaks = 0;
    wasIndented = isIndented;
  }
  return text;
}
