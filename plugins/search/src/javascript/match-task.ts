import type {LinePattern} from '../pattern/line-pattern.js';
import type {MatchRequest} from '../engine/engine.js';
import {requiredTexts} from './required-text.js';

/** What a worker holds files against. Can be sent to one. */
export interface MatchTask {
  readonly script: LinePattern['script'];
  readonly except?: LinePattern['script'];
  /** Where these bytes do not stand, no line fits. */
  readonly bytes?: Uint8Array;
  /** Where this finds nothing among the bytes, each taken for a character, no line fits. */
  readonly filter?: LinePattern['script'];
  /** Whether a line with `bytes` fits without further question. */
  readonly isExact: boolean;
  /** Of one file. */
  readonly most: number;
}

/** Finds the quickest way to look for what a request asks. */
export async function planMatch({pattern, except, mostPerFile, most}: MatchRequest): Promise<MatchTask> {
  const common = {
    script: pattern.script,
    ...(except ? {except: except.script} : {}),
    most: Math.min(mostPerFile, most + 1),
  };
  const texts = await requiredTexts(pattern);
  if (texts === undefined) return {...common, isExact: false};
  const [only] = texts;
  // A carriage return may belong to the end of the line.
  const isExact = pattern.isLiteral && only?.length === [...pattern.given].length && !/[\r\n]/.test(pattern.given);
  if (only && texts.length === 1 && only.every(({length}) => length === 1))
    return {...common, bytes: Buffer.from(only.flat().join('')), isExact};
  return {...common, filter: {source: texts.map((text) => text.map(spellAny).join('')).join('|'), flags: 'g'}, isExact};
}

/** Any of the characters, as bytes that are each taken for a character. */
function spellAny(characters: readonly string[]): string {
  const spelled = characters.map((character) => [...Buffer.from(character).toString('latin1')].map(spellByte).join(''));
  const [only] = spelled;
  if (only !== undefined && spelled.length === 1) return only;
  // One byte or another is found sooner than one text or another.
  const bytes = spelled.filter((_, index) => (characters[index] ?? '') < '\x80');
  const longer = spelled.filter((_, index) => (characters[index] ?? '') >= '\x80');
  const all = [...(bytes.length > 0 ? [`[${bytes.join('')}]`] : []), ...longer];
  return all.length === 1 ? all.join('') : `(?:${all.join('|')})`;
}

function spellByte(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
