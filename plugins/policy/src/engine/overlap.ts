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
const SLASH: Token = {...PLAIN, kind: 'text', text: '/'};

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

/** What the plain pieces of a glob stand for. */
const WILD: ReadonlyMap<string, readonly Token[]> = new Map([
  ['/**/', [SLASH, DEEP]],
  ['**', [DEEP]],
  ['*', [PLAIN]],
  ['?', [SINGLE]],
]);

function readTokens(glob: string): readonly Token[] {
  const tokens: Token[] = [];
  let rest = glob;
  while (rest !== '') {
    const match = PIECE.exec(rest);
    const piece = match?.[0] ?? rest;
    rest = rest.slice(piece.length);
    tokens.push(...tokensOfPiece(piece, match?.groups?.['group'] ?? match?.groups?.['braces']));
  }
  return tokens;
}

/** `inner`: what stands in a group or in braces. */
function tokensOfPiece(piece: string, inner: string | undefined): readonly Token[] {
  if (inner !== undefined) return [inner.includes('/') ? DEEP : PLAIN];
  const wild = WILD.get(piece);
  if (wild) return wild;
  if (piece.length === 1) return [textToken(piece)];
  return [piece.startsWith('[') ? SINGLE : textToken(piece.slice(1))];
}

/** Whether some text is matched by both. */
export function overlaps(a: readonly Token[], b: readonly Token[]): boolean {
  const width = b.length + 1;
  // From the ends: whether what is left of both can be the same.
  const ends = new Uint8Array((a.length + 1) * width);
  ends[ends.length - 1] = 1;
  const pairing: Pairing = {a, b, width, ends};
  for (let i = a.length; i >= 0; i -= 1)
    for (let j = b.length; j >= 0; j -= 1) if (endsAlike(pairing, i, j)) ends[i * width + j] = 1;
  return ends[0] === 1;
}

interface Pairing {
  readonly a: readonly Token[];
  readonly b: readonly Token[];
  readonly width: number;
  readonly ends: Uint8Array;
}

function endsAlike({a, b, width, ends}: Pairing, i: number, j: number): boolean {
  const [x, y] = [a[i], b[j]];
  const at = i * width + j;
  const [isRunX, isRunY] = [isRun(x), isRun(y)];
  if (!isRunX && !isRunY) return isAlike(x, y) && ends[at + width + 1] === 1;
  const [behindX, behindY] = [ends[at + width] === 1, ends[at + 1] === 1];
  if (isRunX && (behindX || (behindY && takes(x, y)))) return true;
  return isRunY && (behindY || (behindX && takes(y, x, a[i - 1])));
}

function isRun(token: Token | undefined): boolean {
  return token?.kind === 'run';
}

/** Whether a run may hold what another token stands for. `before`: what stands in front of it. */
function takes(run: Token | undefined, token: Token | undefined, before?: Token): boolean {
  if (!run || !token) return false;
  if (token.kind !== 'text') return true;
  if (run.isNumber) return /\d/.test(token.text);
  if (run.isVisible && token.text === '.' && before?.text === '/') return false;
  return run.isDeep || token.text !== '/';
}

function isAlike(a: Token | undefined, b: Token | undefined): boolean {
  if (!a || !b) return false;
  if (a.kind === 'text' && b.kind === 'text') return a.text === b.text;
  return a.text !== '/' && b.text !== '/';
}
