import {createContext, Script, type Context} from 'node:vm';
import {degreeOf} from './regex-fault.js';
import {readRegexTree} from './regex-tree.js';

/** Steps that no person notices. */
const FEW_STEPS = 1_000_000;
const LIMIT_MS = 50;

/**
 * Whether a text matches; undefined when that was not known in time, which the caller takes for the stricter answer.
 */
export type PatternTest = (text: string) => boolean | undefined;

/**
 * Compiles a regular expression in which `findRegexFault` finds nothing. What is left can still take quadratic time and
 * worse, so a text that is too long for its repetitions is tried with a clock beside it, and for 50 ms at most.
 */
export function compilePattern(pattern: string, {anchored}: {readonly anchored: boolean}): PatternTest {
  const expression = new RegExp(anchored ? `^(?:${pattern})` : pattern);
  const degree = degreeOf(readRegexTree(pattern)) + (anchored || pattern.startsWith('^') ? 0 : 1);
  const longest = degree <= 1 ? FEW_STEPS : FEW_STEPS ** (1 / degree);
  return (text) => (text.length <= longest ? expression.test(text) : testWithClock(expression, text));
}

function testWithClock(expression: RegExp, text: string): boolean | undefined {
  const context: Context = createContext({expression, text});
  try {
    return new Script('expression.test(text)').runInContext(context, {timeout: LIMIT_MS}) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
