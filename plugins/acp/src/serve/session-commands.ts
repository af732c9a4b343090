import {Writable} from 'node:stream';
import type {SlashCommand} from '@gemini-kernel/plugin-agent/contract';
import type {AvailableCommand} from '#sdk';

/** Commands for a screen, and those that leave the conversation which the editor shows. */
const ELSEWHERE = new Set(['keys', 'resume', 'chat', 'quit', 'exit', 'help']);
const MOST_HINT = 120;

/**
 * The commands of a session as an editor lists them: a name has no blank, so that all commands with the same first word
 * are one, with the others as its input.
 */
export function listCommands(commands: readonly SlashCommand[]): AvailableCommand[] {
  const topics = new Map<string, SlashCommand[]>();
  for (const command of commands) {
    const [first = ''] = command.words;
    if (command.aliasOf || first === '' || ELSEWHERE.has(first)) continue;
    topics.set(first, [...(topics.get(first) ?? []), command]);
  }
  return [...topics].map(([name, members]) => describe(name, members));
}

/** Whether a line is for a command that an editor is offered, although others have the same name. */
export function isOffered(words: readonly string[]): boolean {
  return !ELSEWHERE.has(words[0] ?? '');
}

function describe(name: string, members: readonly SlashCommand[]): AvailableCommand {
  const own = members.find(({words}) => words.length === 1);
  const verbs = members.filter((one) => one !== own).map(({words}) => words.slice(1).join(' '));
  const hint = hintOf(own, verbs);
  return {name, description: describeTopic(own, verbs), ...(hint === '' ? {} : {input: {hint}})};
}

/** What can follow the name. */
function hintOf(own: SlashCommand | undefined, verbs: readonly string[]): string {
  const declared = own?.arguments?.map((one) => (one.isRequired ? `--${one.name}=…` : `[--${one.name}=…]`)).join(' ');
  const hint = [own?.argumentHint ?? declared ?? '', verbs.join(' | ')].filter((one) => one !== '').join(' or ');
  return hint.length > MOST_HINT ? `${hint.slice(0, MOST_HINT - 1)}…` : hint;
}

function describeTopic(own: SlashCommand | undefined, verbs: readonly string[]): string {
  if (!own) return `${verbs.length === 1 ? 'One command' : `${verbs.length} commands`}: ${verbs.join(', ')}`;
  return own.isSourced && own.owner ? `${own.summary} (${own.owner})` : own.summary;
}

/** What a command prints, as one text. */
export function createPrinted(): {readonly stream: Writable; text(): string} {
  const pieces: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(piece: string | Buffer, _encoding, done) {
      pieces.push(String(piece));
      done();
    },
  });
  return {stream, text: () => pieces.join('')};
}

/** Printed lines, which Markdown must not join or format. */
export function fence(text: string): string {
  const shown = text.trimEnd();
  if (!shown.includes('\n')) return shown;
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map(({length}) => length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${shown}\n${marks}`;
}
