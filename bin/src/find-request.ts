import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import {correctWord} from './correct-word.js';
import {asksForHelp, findCommand, findFlagCommand, isPrompt, type Match} from './find-command.js';
import type {Start} from './start.js';

/** What a command line asks for. */
export interface Request {
  /** The line after a slip was corrected; the bundle's first command when it was empty. */
  readonly words: readonly string[];
  /** The command that the words name; undefined for help, and for what no plugin adds. */
  readonly match: Match | undefined;
  /** The id of that command, or the words as one. */
  readonly id: string;
}

/** Finds the command that the words of the line name. At a terminal it asks about a word that looks like a slip. */
export async function findRequest(
  start: Start,
  ask: (form: SentForm) => Promise<FormReply | undefined>,
): Promise<Request> {
  const {program, installed, environment} = start;
  const first = installed.core.bundle?.start;
  const typed = program.argv.length === 0 && first ? first.split(' ') : [...program.argv];
  const words = environment.interactive ? await correctWord(typed, idsOf(start), ask) : typed;
  const match = asksForHelp(words) ? undefined : findMatch(start, words);
  return {words, match, id: match?.command.id ?? words.join(':')};
}

function findMatch(start: Start, words: readonly string[]): Match | undefined {
  return findCommand(start.catalog, words) ?? findFlagCommand(start.catalog, words) ?? findPrompt(start, words);
}

/** The command that takes prompts, if the line is one. */
function findPrompt(start: Start, words: readonly string[]): Match | undefined {
  const command = start.catalog.commands.get(start.installed.core.bundle?.prompt ?? '');
  return command && isPrompt(words, idsOf(start)) ? {command, rest: words} : undefined;
}

function idsOf({catalog}: Start): readonly string[] {
  return [...catalog.commands.keys(), ...catalog.host.commands];
}
