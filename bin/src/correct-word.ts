import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import {nearestTopic} from './find-command.js';

/**
 * The words a person meant by a line of one word that is close to the first word of a command: as a prompt it would
 * cost a request by mistake. `ask` gives undefined without an answer.
 */
export async function correctWord(
  words: readonly string[],
  ids: readonly string[],
  ask: (form: SentForm) => Promise<FormReply | undefined>,
): Promise<readonly string[]> {
  const near = words.length === 1 ? nearestTopic(words[0] ?? '', ids) : undefined;
  if (near === undefined) return words;
  const reply = await ask({
    title: `There is no command "${words[0] ?? ''}".`,
    about: {kind: 'word', word: words[0] ?? '', near},
    fields: [{name: 'run', label: `Run gemini ${near}?`, kind: 'yes-no', default: false}],
    source: 'gemini',
    isOurs: true,
  });
  return reply?.outcome === 'answered' && reply.values['run'] === true ? [near] : words;
}
