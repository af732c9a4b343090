import type {Doubt} from './analysis.js';
import {readScript} from './read-script.js';
import type {SecondReading} from './second-reading.js';
import {Unreadable, type Source} from './source.js';
import type {Reading, Script} from './syntax.js';

export interface ReadText {
  readonly home: string | undefined;
  readonly second: SecondReading;
}

const MAX_LENGTH = 65_536;

/**
 * Reads a text as bash does. Two readers look at it, which know nothing of each other: only when both see commands at
 * the same places is it free of doubt. Of a text that cannot be read, the commands up to the fault are kept.
 */
export function readText(text: string, {home, second}: ReadText): Reading {
  const source: Source = {
    text,
    home,
    at: 0,
    end: text.length,
    depth: 0,
    pending: [],
    starts: [],
    finished: [],
    arithmetic: [],
    functions: new Set(),
    doubts: [],
    isBashOnly: false,
    readScript,
  };
  const script = readOrDoubt(source, second);
  const {starts, arithmetic, functions, doubts, isBashOnly} = source;
  return {script, starts, arithmetic, functions, doubts, isBashOnly};
}

function readOrDoubt(source: Source, second: SecondReading): Script {
  const {text} = source;
  const doubt = (reason: string): Doubt => ({kind: 'unparsed', reason, text});
  if (text.length > MAX_LENGTH) {
    source.doubts.push(doubt('It is too long to be read.'));
    return [];
  }
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) source.doubts.push(doubt('It has control characters.'));
  try {
    const script = readScript(source, false);
    if (!agrees(source.starts, second(text)))
      source.doubts.push(doubt('Two readers of shell text do not agree on what it runs.'));
    return script;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    source.doubts.push(doubt(error.message));
    return source.finished.map((node) => ({first: [node], rest: [], isBackground: false}));
  }
}

function agrees(ours: readonly number[], theirs: readonly number[] | undefined): boolean {
  if (theirs?.length !== ours.length) return false;
  const others = new Set(theirs);
  return ours.every((start) => others.has(start));
}
