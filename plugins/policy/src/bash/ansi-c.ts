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
  for (let at = 0; at < text.length;) {
    const piece = text[at] === '\\' ? decodeEscape(text.slice(at)) : {value: text[at] as string, length: 1};
    if (!piece) return undefined;
    value += piece.value;
    at += piece.length;
  }
  return value;
}

const NUMBERED = /^\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8})/;

/** What the backslash that a text begins with and the characters behind it stand for. */
function decodeEscape(text: string): {readonly value: string; readonly length: number} | undefined {
  const code = NUMBERED.exec(text)?.[0];
  if (code !== undefined) {
    const value = characterOf(code.slice(1));
    return value === undefined ? undefined : {value, length: code.length};
  }
  const escaped = text[1] ?? '';
  if (/^[cxuU]$/.test(escaped)) return undefined;
  return {value: ESCAPES[escaped] ?? `\\${escaped}`, length: 2};
}

function characterOf(code: string): string | undefined {
  const point = /^[xuU]/.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8);
  const most = /^[uU]/.test(code) ? 0x10_ffff : 0x7f;
  const isHalf = point >= 0xd800 && point < 0xe000;
  return point === 0 || point > most || isHalf ? undefined : String.fromCodePoint(point);
}
