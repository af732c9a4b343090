import {nearestTopic} from './find-command.js';

/**
 * The words a person meant by a line of one word that is close to the first word of a command: as a prompt it would
 * cost a request that nobody meant. `ask` gives undefined where nobody answers.
 */
export async function correctWord(
  words: readonly string[],
  ids: readonly string[],
  ask: (question: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const near = words.length === 1 ? nearestTopic(words[0] ?? '', ids) : undefined;
  if (near === undefined) return words;
  const answer = await ask(`There is no command "${words[0] ?? ''}". Run gemini ${near}? [y/N] `);
  return /^y(es)?$/i.test(answer?.trim() ?? '') ? [near] : words;
}
