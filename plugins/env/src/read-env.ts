const LINE = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:'((?:\\'|[^'])*)'|"((?:\\"|[^"])*)"|`([^`]*)`|([^\n#]*))/;

/** The variables of a `.env` text: `NAME=value`, quoted values over several lines, `export`, comments. What is not an assignment is passed over. */
export function readEnv(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const lines = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n').split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    // A quoted value may go on; what never closes is taken for one line.
    const rest = lines.slice(at).join('\n');
    const match = LINE.exec(rest);
    if (!match) continue;
    const [whole, name = '', single, double, tick, bare] = match;
    found.set(name, single ?? (double === undefined ? undefined : unescapeDouble(double)) ?? tick ?? (bare ?? '').trim());
    at += whole.split('\n').length - 1;
  }
  return found;
}

function unescapeDouble(text: string): string {
  return text.replace(/\\(n|r|t|"|\\)/g, (_, letter: string) => ({n: '\n', r: '\r', t: '\t'})[letter] ?? letter);
}
