const LINE =
  /[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:'((?:\\'|[^'])*)'|"((?:\\"|[^"])*)"|`([^`]*)`|([^\n#]*))/;

/**
 * The variables of a `.env` text: `NAME=value`, quoted values over several lines, `export`, comments. What is not an
 * assignment is passed over. It takes time by the length of the text.
 */
export function readEnv(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const line = new RegExp(LINE.source, 'y');
  for (let at = 0; at < plain.length;) {
    // A quoted value may span lines; a quote that never closes is part of one line.
    line.lastIndex = at;
    const match = line.exec(plain);
    if (match) {
      const [, name = '', single, double, tick, bare] = match;
      const quoted = single ?? (double === undefined ? undefined : unescapeDouble(double)) ?? tick;
      found.set(name, quoted ?? (bare ?? '').trim());
    }
    const end = plain.indexOf('\n', at + (match?.[0].length ?? 0));
    at = end < 0 ? plain.length : end + 1;
  }
  return found;
}

function unescapeDouble(text: string): string {
  return text.replace(/\\(n|r|t|"|\\)/g, (_, letter: string) => ({n: '\n', r: '\r', t: '\t'})[letter] ?? letter);
}
