import type {ContextFile} from '../contract.js';
import {essenceOf} from './fact-text.js';

/** Shorter lines repeat in any text. */
const SHORTEST = 20;
const CHARACTERS_PER_TOKEN = 4;

/** Lines that say the same. */
export interface Repeated {
  readonly text: string;
  readonly places: readonly {readonly path: string; readonly line: number}[];
}

/** About how many tokens a text is. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Lines that stand in the texts more than once, imports included. Code, headings and comments do not count. */
export function findRepeated(files: readonly Pick<ContextFile, 'path' | 'text'>[]): readonly Repeated[] {
  const found = new Map<string, {text: string; places: {path: string; line: number}[]}>();
  for (const {path, text} of files) {
    let isCode = false;
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
      const essence = essenceOf(line);
      if (isCode || essence.length < SHORTEST || /^(?:#|<!--|[|:\s-]+$)/.test(essence)) continue;
      const known = found.get(essence) ?? {text: line.trim(), places: []};
      known.places.push({path, line: index + 1});
      found.set(essence, known);
    }
  }
  return [...found.values()].filter(({places}) => places.length > 1);
}
