import {createContext, Script} from 'node:vm';

/** A regular expression did not come to an end on a text. */
export class TestTooLong extends Error {}

/**
 * How much a test can have to try out: the parts that stand for any number of characters, and in how many ways the
 * others can be taken.
 */
export interface Choices {
  readonly repeats: number;
  readonly branches: number;
}

/** Up to about so many steps, a test needs no watch. */
const CHEAP_STEPS = 1e6;
const LONGEST_MS = 500;

/**
 * Holds texts against a regular expression on this thread, and for no longer than half a second each: throws
 * TestTooLong then. A regular expression that goes back can take years, and nothing else would happen meanwhile. Who
 * knows what it was made of can say how many choices it has, or that they are many.
 */
export function boundedTest(
  regex: RegExp,
  choices: Choices | 'many' = choicesOf(regex.source),
): (text: string) => boolean {
  const watched = watchedTest(regex);
  return (text) =>
    choices !== 'many' && mostSteps(text.length, choices) < CHEAP_STEPS ? regex.test(text) : watched(text);
}

/** No fewer than there are; many when a group repeats. */
function choicesOf(source: string): Choices | 'many' {
  const plain = source
    .replaceAll(/\\(?:[pPu]\{[^}]*\}|.)/gs, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll('(?', '(');
  if (/\)[*+?{]/.test(plain)) return 'many';
  // The text can fit at any place.
  return {repeats: 1 + (plain.match(/[*+{]/g)?.length ?? 0), branches: 2 ** (plain.match(/[|?]/g)?.length ?? 0)};
}

/** The ways to share out the characters among the repeated parts. */
function mostSteps(length: number, {repeats, branches}: Choices): number {
  let ways = branches;
  for (let index = 1; index <= repeats && ways < CHEAP_STEPS; index += 1) ways *= (length + index) / index;
  return ways;
}

function watchedTest(regex: RegExp): (text: string) => boolean {
  let run: ((text: string) => unknown) | undefined;
  return (text) => {
    run ??= prepare(regex);
    try {
      return run(text) === true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new TestTooLong(`/${regex.source.slice(0, 60)}/ takes too long on a text of ${text.length} characters.`, {
        cause: error,
      });
    }
  };
}

/** Code that runs in a context of its own can be stopped from outside, even in the middle of a regular expression. */
function prepare(regex: RegExp): (text: string) => unknown {
  const script = new Script('regex.test(text)');
  const context = createContext({regex, text: ''});
  return (text) => {
    context['text'] = text;
    return script.runInContext(context, {timeout: LONGEST_MS});
  };
}
