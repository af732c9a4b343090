import {distanceBetween} from '@gemini-kernel/kernel';
import {slipsOf} from './find-command.js';

/**
 * The words a person meant by a line of one word that is close to the first word of a command: as a prompt it would
 * cost a request that nobody meant. `ask` gives undefined where nobody answers.
 */
export async function correctWord(words: readonly string[], ids: readonly string[], ask: (question: string) => Promise<string | undefined>): Promise<readonly string[]> {
  const near = words.length === 1 ? nearestTopic(words[0] ?? '', ids) : undefined;
  if (near === undefined) return words;
  const answer = await ask(`There is no command "${words[0] ?? ''}". Run gemini ${near}? [y/N] `);
  return /^y(es)?$/i.test(answer?.trim() ?? '') ? [near] : words;
}

/** The first word of a command that differs from this one by a slip; undefined for a word that is one. */
export function nearestTopic(word: string, ids: readonly string[]): string | undefined {
  // Aliases like --list-sessions and /chat are no words.
  const topics = [...new Set(ids.map((id) => id.split(':')[0] ?? ''))].filter((topic) => /^\w/.test(topic));
  if (word.startsWith('-') || topics.includes(word)) return undefined;
  return topics
    .map((topic) => ({topic, distance: distanceBetween(word, topic)}))
    .filter(({topic, distance}) => distance <= slipsOf(topic))
    .sort((a, b) => a.distance - b.distance)[0]?.topic;
}
