import {describeSource, type LockedPlugin} from '@gemini-kernel/admission';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {oneLine} from '../../one-line.js';

const WORDS: Readonly<Record<string, string>> = {
  'fs:read': 'read files',
  'fs:write': 'create, change and delete files',
  process: 'run programs',
  model: 'ask the model',
  'net:*': 'connect to any host',
  'env:*': 'read every environment variable',
};

/** The beginning of a capability for one thing, and the words in front of that thing. */
const WORDS_OF: Readonly<Record<string, string>> = {
  'fs:read:': 'read',
  'fs:write:': 'create, change and delete',
  'run:': 'have gemini run the program',
  'net:': 'connect to',
  'env:': 'read the environment variable',
};

/** What a capability lets a plugin do, for people. */
export function describeCapability(capability: string): string {
  const [start, words] = Object.entries(WORDS_OF).find(([one]) => capability.startsWith(one)) ?? [];
  return (
    WORDS[capability] ??
    (start === undefined
      ? oneLine(capability, LONGEST_NAME)
      : `${words} ${oneLine(capability.slice(start.length), LONGEST_NAME)}`)
  );
}

/** A longer name does not help the reader. */
const LONGEST_NAME = 80;

/** What a plugin adds, one line per kind: `tools a, b`. */
export function describeAdditions(manifest: Manifest): readonly string[] {
  const {tools, commands, listeners, services, hooks, flags, settings = []} = manifest;
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['tools', tools.map(({name}) => name)],
    ['commands', commands.map(describeCommand)],
    ['services', services.map(({name}) => name)],
    ['listeners', [...new Set(listeners.map(({hook}) => hook))]],
    ['hooks', hooks.map(({name}) => name)],
    ['flags', flags.map(({name, char}) => `--${name}${char ? ` (-${char})` : ''}`)],
    ['settings', settings.map(({key}) => key)],
  ];
  // Long enough for a name with its aliases, which were already shortened.
  return kinds
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind} ${names.map((name) => oneLine(name)).join(', ')}`);
}

function describeCommand({id, aliases}: Manifest['commands'][number]): string {
  const words = (one: string): string => one.replaceAll(':', ' ');
  const others = aliases.map((alias) => oneLine(words(alias), LONGEST_NAME));
  return `${words(id)}${others.length > 0 ? ` (also ${others.join(', ')})` : ''}`;
}

/** Where a plugin came from, and what was requested there. */
export function describeOrigin({source}: Pick<LockedPlugin, 'source'>): string {
  if (source.type === 'registry') return `${describeSource(source)} (requested as ${source.wanted})`;
  if (source.type === 'git')
    return (
      `${describeSource(source)} at ` +
      `${source.commit.slice(0, 12)}${source.wanted ? ` (requested as ${source.wanted})` : ''}`
    );
  return describeSource(source);
}

/** A size in bytes, for people. */
export function describeSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The approximate age of something. */
export function describeAge(then: Date, now: Date): string {
  const hours = Math.max(0, (now.getTime() - then.getTime()) / 3_600_000);
  if (hours < 1) return 'less than an hour ago';
  if (hours < 48) return `${Math.floor(hours)} hours ago`;
  return hours < 24 * 60 ? `${Math.floor(hours / 24)} days ago` : `${Math.floor(hours / 24 / 30.4)} months ago`;
}
