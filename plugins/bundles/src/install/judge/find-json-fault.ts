import {stat} from 'node:fs/promises';
import {readText} from '@gemini-kernel/files';

const MOST_BYTES = 1_000_000;
/** Code that recurses deeper than this, as schema checks and printing do, may overflow the stack. */
const MOST_LEVELS = 64;

/** Why a JSON file is not safe to read whole, or undefined. Does not check its content. */
export async function findJsonFault(file: string): Promise<string | undefined> {
  const {size} = await stat(file);
  if (size > MOST_BYTES) return `has ${size} bytes, more than ${MOST_BYTES}`;
  const deepest = depthOf(await readText(file));
  return deepest > MOST_LEVELS ? `is ${deepest} levels deep, more than ${MOST_LEVELS}` : undefined;
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if (sign === '{' || sign === '[') deepest = Math.max(deepest, (depth += 1));
    else if (sign === '}' || sign === ']') depth -= 1;
  }
  return deepest;
}
