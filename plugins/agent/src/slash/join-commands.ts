import type {Listed, TypedCommand} from '@gemini-kernel/kernel';
import type {CommandOrigin, SlashCommand, SourcedCommand} from '../contract.js';

/** A command that you can type, and the source that runs it. */
export interface JoinedCommand {
  readonly shown: SlashCommand;
  readonly source?: {readonly service: string; readonly plugin: string; readonly id: string};
}

export interface Joined {
  readonly commands: readonly JoinedCommand[];
  /** A sentence for each command whose name was already taken. */
  readonly clashes: readonly string[];
}

/** Words that each user interface handles itself. */
const ofInterfaces = ['help', 'quit', 'exit'];
const order = ['project', 'person', 'extension', 'server', 'plugin'];

/** The fallback name of a sourced command, and the display name of its owner. */
interface Owner {
  readonly rank: number;
  readonly prefix: string;
  readonly label: string;
}

/**
 * All commands, each under a unique name: those of plugins and user interfaces come first, then those of the project,
 * the person, extensions, servers and other sources. The later of two becomes `<owner>.<name>`.
 */
export function joinCommands(typed: readonly TypedCommand[], listed: readonly Listed<SourcedCommand>[]): Joined {
  const commands = new Map<string, JoinedCommand>(
    typed.map((one) => [wordsOf(one.name).join(' '), {shown: describeTyped(one)}]),
  );
  const isTaken = (name: string): boolean => commands.has(name) || ofInterfaces.includes(name);
  const clashes: string[] = [];
  const sourced = listed.flatMap((list) => list.items.map((item) => ({list, item, owner: ownerOf(list, item.origin)})));
  for (const {list, item, owner} of sourced.sort((a, b) => a.owner.rank - b.owner.rank)) {
    const name = findFree(item.name, owner.prefix, isTaken);
    if (name !== item.name) {
      const other = commands.get(item.name)?.shown.owner ?? 'the user interface';
      clashes.push(
        `/${item.name} of ${owner.label} is available as /${name}, because ${other} already has /${item.name}.`,
      );
    }
    const {description: summary, argumentHint, arguments: declared, id} = item;
    const more = {
      ...(argumentHint ? {argumentHint} : {}),
      ...(declared ? {arguments: declared} : {}),
      ...(id === undefined ? {} : {id}),
    };
    const shown = {words: name.split(' '), summary, owner: owner.label, isSourced: true, ...more};
    commands.set(name, {shown, source: {service: list.name, plugin: list.plugin, id: id ?? item.name}});
  }
  return {commands: [...commands.values()], clashes};
}

/** The command with the most words that a line starts with. */
export function findJoined(words: readonly string[], commands: readonly JoinedCommand[]): JoinedCommand | undefined {
  const matching = commands.filter(({shown}) => shown.words.every((word, index) => word === words[index]));
  return matching.sort((a, b) => b.shown.words.length - a.shown.words.length)[0];
}

function findFree(name: string, prefix: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  const own = prefix + name;
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? own : `${own}${count}`;
    if (!isTaken(candidate)) return candidate;
  }
}

function ownerOf({plugin, isOurs}: Listed<unknown>, origin: CommandOrigin | undefined): Owner {
  const isOfPerson = origin?.kind === 'project' || origin?.kind === 'person';
  if (!origin || (isOfPerson && !isOurs))
    return {rank: order.indexOf('plugin'), prefix: `${plugin.replaceAll(/\s/g, '-')}.`, label: plugin};
  const {kind, name = plugin} = origin;
  const rank = order.indexOf(kind);
  const safe = name.replaceAll(/[\s/"'\\]/g, '-');
  if (kind === 'project') return {rank, prefix: 'workspace.', label: 'this project'};
  if (kind === 'person') return {rank, prefix: 'user.', label: 'you'};
  return {rank, prefix: safe + (kind === 'extension' ? ':' : '.'), label: isOurs ? name : `${name} (${plugin})`};
}

function wordsOf(name: string): readonly string[] {
  return name.replace(/^\//, '').split(':');
}

/** A command of a plugin, as listed. */
export function describeTyped({name, id, summary, plugin}: TypedCommand): SlashCommand {
  const alias = name === id ? {} : {aliasOf: wordsOf(id)};
  return {words: wordsOf(name), summary, owner: plugin, ...alias};
}
