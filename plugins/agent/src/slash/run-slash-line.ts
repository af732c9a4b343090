import type {Session} from '@gemini-kernel/kernel';
import type {Prompted} from '../contract.js';
import {findSlash} from '../slash-line.js';

/** The result of a sourced slash command: a prompt to send, or a message to print. */
type Left = {readonly prompt: Prompted} | {readonly said: string};

/** Runs a prompt that is a slash command. Gives its result; undefined for any other prompt. */
export async function runSlashLine(
  session: Session,
  prompt: Prompted,
  signal: AbortSignal,
  run: (words: readonly string[]) => Promise<void>,
): Promise<'done' | Left | undefined> {
  const {text} = prompt;
  if (!text.startsWith('/')) return undefined;
  const commands = await session.service('slash-commands');
  if (await commands.find(text)) {
    const outcome = await commands.run(text, signal);
    return outcome.kind === 'message' ? {said: outcome.text} : {prompt: {...prompt, parts: outcome.parts}};
  }
  const words = findSlash(text, await commands.list());
  if (!words) return undefined;
  await run(words);
  return 'done';
}
