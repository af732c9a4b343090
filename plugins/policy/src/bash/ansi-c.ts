const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/**
 * What `$'…'` stands for, given what is between its quotes; undefined when it makes bytes or controls that a name never
 * has.
 */
export function decodeAnsiC(text: string): string | undefined {
  let value = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character !== '\\') {
      value += character;
      continue;
    }
    const rest = text.slice(at + 1);
    const code = /^(?:[0-7]{1,3}|x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8})/.exec(rest)?.[0];
    if (code !== undefined) {
      const point = /^[xuU]/.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8);
      const isByte = !/^[uU]/.test(code);
      if (point === 0 || point > 0x10_ffff || (point >= 0xd800 && point < 0xe000) || (isByte && point > 0x7f))
        return undefined;
      value += String.fromCodePoint(point);
      at += code.length;
      continue;
    }
    const escaped = rest[0] ?? '';
    if (escaped === 'c' || escaped === 'x' || escaped === 'u' || escaped === 'U') return undefined;
    value += ESCAPES[escaped] ?? `\\${escaped}`;
    at += 1;
  }
  return value;
}
