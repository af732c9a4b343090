import {ANY, DIGITS, GIVEN, NAME, ONE, STAR, TREE, VISIBLE} from '../bash/shape.js';

/** A character, one that is not known, or a run of them. */
export interface Token {
  readonly kind: 'text' | 'one' | 'run';
  /** The character of a text. */
  readonly text: string;
  /** Whether a run may hold slashes. */
  readonly isDeep: boolean;
  /** A run that does not begin with a dot, and behind no slash has one. */
  readonly isVisible: boolean;
  /** A run of digits. */
  readonly isNumber: boolean;
}

const PLAIN: Token = {kind: 'run', text: '', isDeep: false, isVisible: false, isNumber: false};
const DEEP: Token = {...PLAIN, isDeep: true};
const SINGLE: Token = {...PLAIN, kind: 'one'};

const HOLES: Readonly<Record<string, Token>> = {
  [ANY]: DEEP,
  [TREE]: DEEP,
  [VISIBLE]: {...DEEP, isVisible: true},
  [STAR]: {...PLAIN, isVisible: true},
  [GIVEN]: {...PLAIN, isVisible: true},
  [NAME]: PLAIN,
  [ONE]: SINGLE,
  [DIGITS]: {...PLAIN, isNumber: true},
};

function textToken(text: string): Token {
  return {...PLAIN, kind: 'text', text};
}

/** A shape, character by character. */
export function tokensOfShape(shape: string, ignoreCase: boolean): readonly Token[] {
  return [...(ignoreCase ? shape.toLowerCase() : shape)].map((character) => HOLES[character] ?? textToken(character));
}

/**
 * A glob of a rule, character by character; a text that it matches is matched by one of these. What it leaves out may
 * be in them.
 */
export function tokensOfGlob(
  glob: string,
  {ignoreCase, home}: {readonly ignoreCase: boolean; readonly home: string},
): readonly (readonly Token[])[] {
  const placed = glob.startsWith('~/')
    ? home + glob.slice(1)
    : /^(?:\/|[a-z]:|\*\*)/i.test(glob)
      ? glob
      : `**/${glob.replace(/^\.\//, '')}`;
  const text = ignoreCase ? placed.toLowerCase() : placed;
  const tokens = readTokens(text);
  // What a folder holds, and the folder.
  return /[^/]\/\*\*$/.test(text) ? [tokens, readTokens(text.slice(0, -3))] : [tokens];
}

const PIECE = /^(?:[!?*+@]\((?<group>[^]*?)\)|\{(?<braces>[^}]*)\}|\[[^\]]+\]|\/\*\*\/|\*\*|\*|\?|\\[^]|[^])/;

function readTokens(glob: string): readonly Token[] {
  const tokens: Token[] = [];
  let rest = glob;
  while (rest !== '') {
    const match = PIECE.exec(rest);
    const piece = match?.[0] ?? rest;
    const inner = match?.groups?.['group'] ?? match?.groups?.['braces'];
    rest = rest.slice(piece.length);
    if (inner !== undefined) tokens.push(inner.includes('/') ? DEEP : PLAIN);
    else if (piece === '/**/') tokens.push(textToken('/'), DEEP);
    else if (piece === '**') tokens.push(DEEP);
    else if (piece === '*') tokens.push(PLAIN);
    else if (piece === '?' || (piece.startsWith('[') && piece.length > 1)) tokens.push(SINGLE);
    else tokens.push(textToken(piece.length > 1 ? piece.slice(1) : piece));
  }
  return tokens;
}

/** Whether some text is matched by both. */
export function overlaps(a: readonly Token[], b: readonly Token[]): boolean {
  const width = b.length + 1;
  // From the ends: whether what is left of both can be the same.
  const ends = new Uint8Array((a.length + 1) * width);
  for (let i = a.length; i >= 0; i -= 1) {
    for (let j = b.length; j >= 0; j -= 1) {
      const [x, y] = [a[i], b[j]];
      const at = (di: number, dj: number): boolean => ends[(i + di) * width + j + dj] === 1;
      let is = x === undefined && y === undefined;
      if (x?.kind === 'run') is ||= at(1, 0) || (y !== undefined && takes(x, y) && at(0, 1));
      if (y?.kind === 'run') is ||= at(0, 1) || (x !== undefined && takes(y, x, a[i - 1]) && at(1, 0));
      if (x && y && x.kind !== 'run' && y.kind !== 'run') is = isAlike(x, y) && at(1, 1);
      if (is) ends[i * width + j] = 1;
    }
  }
  return ends[0] === 1;
}

/** Whether a run may hold what another token stands for. `before`: what stands in front of it. */
function takes(run: Token, token: Token, before?: Token): boolean {
  if (token.kind === 'run') return true;
  if (token.kind === 'one') return true;
  if (run.isNumber) return /\d/.test(token.text);
  if (run.isVisible && token.text === '.' && before?.text === '/') return false;
  return run.isDeep || token.text !== '/';
}

function isAlike(a: Token, b: Token): boolean {
  if (a.kind === 'text' && b.kind === 'text') return a.text === b.text;
  return a.text !== '/' && b.text !== '/';
}
