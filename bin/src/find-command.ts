import {distanceBetween, findNearest, KernelError} from '@gemini-kernel/kernel';
import type {Catalog, CommandEntry} from '@gemini-kernel/kernel/host';

const HELP = new Set(['--help', '-h']);

export interface Match {
  readonly command: CommandEntry & {readonly plugin: string};
  /** What follows the words of the command. */
  readonly rest: readonly string[];
}

/** The command whose words are the longest start of the line. */
export function findCommand(catalog: Catalog, argv: readonly string[]): Match | undefined {
  for (let count = wordsOf(argv).length; count > 0; count -= 1) {
    const command = catalog.commands.get(argv.slice(0, count).join(':'));
    if (command && !isSlip(catalog, argv, count)) return {command, rest: argv.slice(count)};
  }
  return undefined;
}

/**
 * Whether behind words that are a command and a topic as well (`plugins`) comes one that is no command of the topic.
 * After an alias of a slash command (`/resume 2`) it is an argument, unless it looks like such a command.
 */
function isSlip(catalog: Catalog, argv: readonly string[], count: number): boolean {
  const topic = `${argv.slice(0, count).join(':')}:`;
  const next = argv[count];
  if (next === undefined || next.startsWith('-')) return false;
  const verbs = [...catalog.commands.keys()].filter((id) => id.startsWith(topic)).map((id) => id.slice(topic.length));
  return topic.startsWith('/') ? verbs.some((verb) => distanceBetween(next, verb) <= slipsOf(verb)) : verbs.length > 0;
}

/**
 * The command that words typed after a slash mean: one with an alias of its own there (`/chat:list`), else any that is
 * marked for it.
 */
export function findSlashCommand(catalog: Catalog, words: readonly string[]): Match | undefined {
  const found = findCommand(catalog, [`/${words[0] ?? ''}`, ...words.slice(1)]) ?? findCommand(catalog, words);
  return found?.command.slash ? found : undefined;
}

/** The command that an alias like `--list-sessions`, anywhere in the line, stands for. */
export function findFlagCommand(catalog: Catalog, argv: readonly string[]): Match | undefined {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const index = argv.findIndex(
    (word, at) => at < end && word.startsWith('--') && catalog.commands.has(word.split('=')[0] ?? ''),
  );
  const [alias = '', ...value] = argv[index]?.split('=') ?? [];
  const command = catalog.commands.get(alias);
  return index >= 0 && command
    ? {
        command,
        rest: [...argv.slice(0, index), ...(value.length > 0 ? [value.join('=')] : []), ...argv.slice(index + 1)],
      }
    : undefined;
}

/** Commands of Gemini CLI: without the plugin that adds one, the line is still no prompt. */
const ELSEWHERE = new Set(['mcp', 'extensions', 'extension', 'skills', 'skill', 'hooks', 'hook', 'agents']);

/** Whether a line that names none of the commands `ids` is a prompt, and not a topic or a slip of the finger. */
export function isPrompt(argv: readonly string[], ids: readonly string[]): boolean {
  const [first, second] = wordsOf(argv);
  if (first === undefined || /\s/.test(first)) return true;
  const commands = ids.map((id) => id.split(':'));
  if (ELSEWHERE.has(first) || commands.some(([topic]) => topic === first)) return false;
  if (second === undefined) return nearestTopic(first, ids) === undefined;
  return !commands.some(([topic = '', verb]) => second === verb && distanceBetween(first, topic) <= slipsOf(topic));
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

/** How many letters of a word may be wrong before it is another word. */
function slipsOf(word: string): number {
  return word.length > 5 ? 2 : word.length > 3 ? 1 : 0;
}

/** Whether the line is for oclif's help. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.length === 0 || argv.slice(0, end < 0 ? undefined : end).some((word) => HELP.has(word));
}

/** Throws KernelError COMMAND_UNKNOWN unless the line starts with a topic, or with a command, of `ids`. */
export function checkKnown(argv: readonly string[], ids: readonly string[]): void {
  const words = wordsOf(argv);
  if (words.length === 0) {
    throw new KernelError('COMMAND_UNKNOWN', `There is no command before ${argv[0] ?? 'the flags'}.`, {
      hint: 'Put the command first; gemini --help shows every command.',
    });
  }
  const isTopic = ids.some((id) => id.startsWith(`${words.join(':')}:`));
  const isCommand = words.some((_, index) => ids.includes(words.slice(0, index + 1).join(':')));
  if (isTopic || isCommand) return;
  const [first = '', second = ''] = words;
  if (ELSEWHERE.has(first)) {
    throw new KernelError('COMMAND_UNKNOWN', `No plugin adds the command "${first}" yet.`, {
      hint: 'Gemini CLI has it. A prompt that begins with this word goes behind -p.',
    });
  }
  const names = [...ids.map((id) => id.replaceAll(':', ' ')), ...ids.map((id) => id.split(':')[0] ?? '')];
  const near = [...new Set([...findNearest(`${first} ${second}`.trim(), names), ...findNearest(first, names)])].slice(
    0,
    3,
  );
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((name) => `gemini ${name}`).join(', ')}? A prompt that looks like a command goes ` +
        'behind -p.'
      : 'Run gemini --help to see every command.';
  throw new KernelError('COMMAND_UNKNOWN', `There is no command "${words.join(' ')}".`, {hint});
}

function wordsOf(argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, flag < 0 ? undefined : flag);
}
