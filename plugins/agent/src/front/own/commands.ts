import {findNearest} from '@gemini-kernel/kernel';
import type {Seat, SlashCommand} from '../../contract.js';
import type {CommandPlaces} from '../complete.js';
import {keyHelp, safeLine, widthOf, type KeyBindings, type Look, type Paint} from '@gemini-kernel/terminal';

/** Commands that the console handles. */
export const ownCommands: readonly SlashCommand[] = [
  {words: ['help'], summary: 'Show the commands and keys.'},
  {words: ['copy'], summary: 'Copy the last answer; /copy code copies its last code block.'},
  {words: ['editor'], summary: 'Choose the editor for prompts and proposals.'},
  {words: ['output'], summary: 'Look through what tools have printed.'},
  {words: ['theme'], summary: 'Choose the colours.'},
  {words: ['vim'], summary: 'Switch the keys of vim on or off.'},
  {words: ['quit'], summary: 'Leave.'},
  {words: ['exit'], summary: 'Leave.'},
];

/** Commands, with those of the console that no other command has. */
export function withOwnCommands(commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const taken = commands.map(({words}) => words.join(' '));
  return [...commands, ...ownCommands.filter(({words}) => !taken.includes(words.join(' ')))];
}

/** The slash commands of a seat, and their completion. */
export function commandsOf({conversations, conversation}: Seat): CommandPlaces {
  return {
    list: async () => withOwnCommands(await conversations.commands(conversation)),
    complete: (line, signal) => conversations.complete(conversation, line, signal),
  };
}

/**
 * The command that words start with, or that lists what they name (`/mcp` is `/mcp list`); else a sentence and a hint
 * why there is none.
 */
export function findCommand(
  words: readonly string[],
  commands: readonly SlashCommand[],
): SlashCommand | {readonly sentence: string; readonly hint: string} {
  const matching = commands.filter((command) => command.words.every((word, index) => words[index] === word));
  const [longest] = matching.sort((a, b) => b.words.length - a.words.length);
  if (longest) return longest;
  const below = commands.filter((command) => command.words[0] === words[0]);
  const list = below.find((command) => command.words.join(' ') === [...words, 'list'].join(' '));
  if (list) return list;
  if (below.length > 0) {
    return {
      sentence: `/${safeLine(words.join(' '))} is incomplete.`,
      hint: `Subcommands: ${below.map((command) => `/${command.words.join(' ')}`).join(', ')}.`,
    };
  }
  const names = commands.map((command) => command.words.join(' '));
  const near = [...findNearest(words.join(' '), names), ...findNearest(words[0] ?? '', names)];
  const hint =
    near.length > 0
      ? `Did you mean ${[...new Set(near)]
          .slice(0, 3)
          .map((name) => `/${name}`)
          .join(' or ')}?`
      : 'Type /help for the commands. To send a prompt that starts with /, start it with //.';
  return {sentence: `There is no command /${safeLine(words[0] ?? '')}.`, hint};
}

/** The commands with their summaries, and the keys. */
export function helpText(commands: readonly SlashCommand[], keys: KeyBindings, paint: Paint): string {
  const shown = ({words}: SlashCommand): string => `/${words.join(' ')}`;
  const aliases = (words: readonly string[]): string => {
    const others = commands.filter(({aliasOf}) => aliasOf?.join(' ') === words.join(' ')).map(shown);
    return others.length > 0 ? ` Also ${others.join(', ')}.` : '';
  };
  const own = commands.filter(({aliasOf}) => aliasOf === undefined);
  const rows = own
    .map((command) => [shown(command), describe(command) + aliases(command.words)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    `${paint('strong', 'Commands')}\n${list(rows)}\n${keysText(keys, paint)}!line runs in the shell, and the model ` +
    'sees it with the next prompt. @path adds a file to a prompt. // starts a prompt that begins with /.\n'
  );
}

/** The summary of a command; for a sourced one also its arguments and owner. */
function describe({summary, argumentHint, arguments: declared = [], owner, isSourced}: SlashCommand): string {
  if (!isSourced) return safeLine(summary);
  const hint = argumentHint ?? declared.map(({name, isRequired}) => (isRequired ? `<${name}>` : `[${name}]`)).join(' ');
  return safeLine(`${hint === '' ? '' : `${hint}  `}${summary} (${owner ?? ''})`);
}

/** What a person who has just come needs to know. */
export function tipText({paint, paragraph}: Pick<Look, 'paint' | 'paragraph'>): string {
  return `${paragraph?.(0) ?? ''}${paint('dim', '? shows the keys, /help the commands; Ctrl+D leaves.')}\n`;
}

/** The keys, for display. */
export function keysText(keys: KeyBindings, paint: Paint): string {
  return `${paint('strong', 'Keys')}\n${list(keyHelp(keys))}`;
}

function list(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(28, Math.max(...rows.map(([name]) => widthOf(name))));
  return rows.map(([name, text]) => `  ${name}${' '.repeat(Math.max(0, width - widthOf(name)))}  ${text}\n`).join('');
}
