import type {Effect} from '@gemini-kernel/kernel';
import {modes, type CommandCondition, type Conditions, type Mode} from '../rule.js';
import type {Entry} from './entry.js';
import {findGlobFault, readPathPattern} from './path-pattern.js';
import {findRegexFault} from './regex-fault.js';
import {isTable, type FieldName} from './rule-keys.js';
import {composeServerTool, SHELL, withTwin} from './tool-names.js';

const EFFECTS: readonly Effect[] = ['read', 'search', 'edit', 'delete', 'move', 'execute', 'fetch', 'think', 'other'];
const MODES: Readonly<Record<string, Mode>> = {
  ...Object.fromEntries(modes.map((mode) => [mode, mode])),
  autoEdit: 'auto_edit',
  'auto-edit': 'auto_edit',
};

/** The conditions of an entry that can be used; the entry knows about the others. */
export interface ReadConditions {
  readonly conditions: Omit<Conditions, 'command'>;
  /** One rule is made for each of these; a rule without commands has one that is undefined. */
  readonly commands: readonly (CommandCondition | undefined)[];
}

/**
 * Reads whom an entry speaks about. `isAllow`: conditions that meet must then all hold, and commands match from their
 * beginning.
 */
export function readConditions(entry: Entry, isAllow: boolean): ReadConditions {
  const commands = readCommands(entry, isAllow);
  const hasCommand =
    commands.some((command) => command !== undefined) ||
    ['commandPrefix', 'commandRegex', 'commandPattern'].some((name) => entry.has(name as FieldName));
  const server = entry.has('mcpName') ? (entry.text('mcpName') ?? '*') : undefined;
  const conditions = {
    tools: readTools(entry, server, hasCommand),
    except: entry.texts('except')?.flatMap(withTwin),
    server,
    subagent: entry.text('subagent'),
    caller: entry.text('caller'),
    args: readArgs(entry, hasCommand && !isAllow),
    path: readPaths(entry),
    effect: readList(entry, 'effect', (text) => EFFECTS.find((effect) => effect === text)),
    workspaceRoot: readGlobs(entry, 'workspaceRoot'),
    modes: readList(entry, 'modes', (text) => (Object.hasOwn(MODES, text) ? MODES[text] : undefined)),
    interactive: entry.truth('interactive'),
    trusted: entry.truth('trusted'),
    sandboxed: entry.truth('sandboxed'),
    annotations: readAnnotations(entry),
  };
  const given = Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined));
  // What is left has no undefined in it.
  return {conditions: given as unknown as Omit<Conditions, 'command'>, commands};
}

function readTools(entry: Entry, server: string | undefined, hasCommand: boolean): readonly string[] {
  const named = entry.texts('toolName');
  if (named?.length === 0) entry.break('toolName', 'names no tool');
  if (server !== undefined) return (named?.length ? named : ['*']).map((name) => composeServerTool(server, name));
  if (named?.length) return named.flatMap(withTwin);
  return hasCommand ? [SHELL] : ['*'];
}

function readArgs(entry: Entry, isBesideCommand: boolean): string | undefined {
  const pattern = readRegex(entry, 'argsPattern');
  if (pattern === undefined || !isBesideCommand) return pattern;
  entry.tell('warning', 'argsPattern', {
    message: `"argsPattern" is not used beside a condition on the command.`,
    hint: 'Write two rules.',
  });
  return undefined;
}

function readCommands(entry: Entry, isAllow: boolean): readonly (CommandCondition | undefined)[] {
  const prefixes = (entry.texts('commandPrefix') ?? []).map((prefix) => ({prefix}));
  const regex = readRegex(entry, 'commandRegex');
  const pattern = readRegex(entry, 'commandPattern');
  const given = (['commandPrefix', 'commandRegex', 'commandPattern'] as const).filter((name) => entry.has(name));
  const [first, second] = given;
  if (isAllow && first && second) entry.break(second, `and "${first}" exclude each other`, 'Write two rules.');
  if (entry.has('commandPrefix') && Array.isArray(entry.value('commandPrefix')) && prefixes.length === 0)
    entry.break('commandPrefix', 'names no command');
  const commands = [
    ...prefixes,
    ...(regex === undefined ? [] : [{pattern: regex, anchored: true}]),
    // What is allowed must begin as the pattern says: text somewhere in the arguments of another command is not enough.
    ...(pattern === undefined ? [] : [{pattern, anchored: isAllow}]),
  ];
  return commands.length === 0 ? [undefined] : commands;
}

function readRegex(entry: Entry, name: FieldName): string | undefined {
  const pattern = entry.text(name);
  const fault = pattern === undefined ? undefined : findRegexFault(pattern);
  if (fault === undefined) return pattern;
  entry.break(name, `is a regular expression that ${fault}`);
  return undefined;
}

function readPaths(entry: Entry): readonly string[] | undefined {
  const globs = readGlobs(entry, 'path');
  const patterns = entry.texts('pathPattern')?.map(readPathPattern);
  if (!patterns) return globs;
  const fault = patterns.flatMap((pattern) => ('fault' in pattern ? [pattern.fault] : []))[0];
  if (fault !== undefined) {
    entry.break('pathPattern', fault, 'Write globs: path = ["**/*.pem"].');
    return globs;
  }
  if (globs) entry.break('pathPattern', 'and "path" exclude each other', 'Write all of it as globs in "path".');
  return [...(globs ?? []), ...patterns.flatMap((pattern) => ('globs' in pattern ? pattern.globs : []))];
}

function readGlobs(entry: Entry, name: 'path' | 'workspaceRoot'): readonly string[] | undefined {
  const globs = entry.texts(name);
  const fault = globs?.map(findGlobFault).find((one) => one !== undefined);
  if (fault === undefined) return globs;
  entry.break(name, fault);
  return undefined;
}

function readList<T>(entry: Entry, name: FieldName, parse: (text: string) => T | undefined): readonly T[] | undefined {
  const texts = entry.texts(name);
  const values = texts?.map(parse) ?? [];
  const unknown = texts?.find((_, index) => values[index] === undefined);
  if (unknown !== undefined)
    entry.break(name, `does not take "${unknown}"`, `It takes ${(name === 'modes' ? modes : EFFECTS).join(', ')}.`);
  return texts && unknown === undefined ? values.flatMap((value) => (value === undefined ? [] : [value])) : undefined;
}

function readAnnotations(entry: Entry): Readonly<Record<string, unknown>> | undefined {
  const value = entry.value('toolAnnotations');
  if (value === undefined) return undefined;
  if (isTable(value)) return {...value};
  entry.break('toolAnnotations', 'must be a table');
  return undefined;
}
