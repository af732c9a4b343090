import type {Explanation, Settings} from '@gemini-kernel/plugin-settings/contract';
import type {LeftOutReason, ServerOrigin, SourcedServer} from '../contract.js';
import {isTable} from './is-table.js';
import {readServer, type ServerConfig} from './server-config.js';
import {withSourced} from './sourced-servers.js';

/** A configured server, and why it is not used. */
export interface Configured {
  readonly name: string;
  readonly origin: ServerOrigin;
  /** Absent when the entry does not describe a server. */
  readonly config?: ServerConfig;
  readonly leftOut?: {readonly reason: LeftOutReason; readonly sentence: string};
}

type Table = Readonly<Record<string, unknown>>;

/** The name of the server that `mcp.serverCommand` starts. */
const COMMAND_SERVER = 'mcp';

/** What an administrator says about servers. */
interface Rules {
  readonly isOn: boolean;
  readonly only: Table;
  readonly required: Table;
}

/** A server with what is said about it, before that is read. */
export interface Named {
  readonly name: string;
  readonly value: unknown;
  readonly origin: ServerOrigin;
}

/** Says of a server why it is not used. */
type Judge = (server: Named) => Configured['leftOut'];

/** Whether people have switched a server off. */
export type IsDisabled = (name: string) => LeftOutReason | undefined;

/** Reads every configured server, with the reasons why some are not used, sorted by name. */
export async function readServers(
  settings: Pick<Settings, 'explain' | 'get'>,
  isDisabled: IsDisabled,
  sourced: readonly SourcedServer[] = [],
): Promise<readonly Configured[]> {
  const [servers, allowed, excluded, command, rules] = await Promise.all([
    settings.explain('mcpServers'),
    settings.explain('mcp.allowed'),
    settings.explain('mcp.excluded'),
    settings.explain('mcp.serverCommand'),
    readRules(settings),
  ]);
  const named = withRequired(
    rules,
    withAdmin(rules, withSourced([...collect(servers), ...readCommand(command)], sourced)),
  );
  const judges: readonly Judge[] = [
    () => (rules.isOn ? undefined : {reason: 'admin', sentence: 'Your administrator does not allow MCP servers.'}),
    judgeAdmin(rules),
    judgeNames(rules, allowed, excluded),
    ({name}) => explainDisabled(isDisabled(name), name),
  ];
  return named
    .map((server) => configure(server, judges))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function configure(server: Named, judges: readonly Judge[]): Configured {
  const {name, value, origin} = server;
  const config = readServer(name, value, origin);
  const leftOut = judges.map((judge) => judge(server)).find((found) => found !== undefined);
  if (typeof config === 'string') {
    const sentence = `The MCP server "${name}" in ${origin.source ?? origin.layer} is invalid: ${config}.`;
    return {name, origin, leftOut: leftOut ?? {reason: 'invalid', sentence}};
  }
  return {name, origin, config, ...(leftOut ? {leftOut} : {})};
}

async function readRules(settings: Pick<Settings, 'get'>): Promise<Rules> {
  const [isOn, only, required] = await Promise.all([
    settings.get('admin.mcp.enabled'),
    settings.get('admin.mcp.config'),
    settings.get('admin.mcp.requiredConfig'),
  ]);
  return {isOn: isOn !== false, only: isTable(only) ? only : {}, required: isTable(required) ? required : {}};
}

/** Each server as the strongest layer has it. */
function collect({layers}: Explanation): readonly Named[] {
  const servers = new Map<string, Named>();
  for (const {layer, source, value} of layers) {
    if (!isTable(value)) continue;
    const origin = {layer, ...(source === undefined ? {} : {source})};
    for (const [name, one] of Object.entries(value)) servers.set(name, {name, value: one, origin});
  }
  return [...servers.values()];
}

function readCommand({value, layers}: Explanation): readonly Named[] {
  if (typeof value !== 'string' || value.trim() === '') return [];
  const {layer = 'user', source} = layers.at(-1) ?? {};
  const [program = '', ...args] = splitCommandLine(value);
  const origin = {layer, ...(source === undefined ? {} : {source})};
  return [{name: COMMAND_SERVER, value: {command: program, args}, origin}];
}

/** The words of a command line, with quotes and backslashes as a shell reads them. */
function splitCommandLine(line: string): readonly string[] {
  const words = line.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs) ?? [];
  return words.map((word) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_, double?: string, single?: string, one?: string) =>
      double === undefined ? (single ?? one ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}

/** Servers of the administrator's list are reached where the list says, and never as a program. */
function withAdmin({only}: Rules, servers: readonly Named[]): readonly Named[] {
  return servers.map((server) => {
    const theirs = only[server.name];
    if (!isTable(theirs) || !isTable(server.value)) return server;
    const {command, args, env, cwd, httpUrl, tcp, ...rest} = server.value;
    void [command, args, env, cwd, httpUrl, tcp];
    return {...server, value: {...rest, ...theirs}};
  });
}

/** Adds what the administrator requires; nothing else of that name counts. */
function withRequired({required}: Rules, servers: readonly Named[]): readonly Named[] {
  const added = Object.entries(required).map(([name, value]): Named => ({
    name,
    value: isTable(value) ? {trust: true, ...value} : value,
    origin: {layer: 'admin'},
  }));
  return [...servers.filter(({name}) => !Object.hasOwn(required, name)), ...added];
}

function judgeAdmin({only}: Rules): Judge {
  return ({name, origin}) =>
    Object.keys(only).length === 0 || Object.hasOwn(only, name) || origin.layer === 'admin'
      ? undefined
      : {reason: 'admin', sentence: `Your administrator does not allow the MCP server "${name}".`};
}

const normalise = (name: unknown): string => String(name).trim().toLowerCase();

/** `mcp.allowed` of every layer must name a server; a flag replaces what others say, but never the administrator. */
function judgeNames({required}: Rules, allowed: Explanation, excluded: Explanation): Judge {
  const flag = allowed.layers.some(({layer}) => layer === 'flag');
  const counts = ({layer, managed}: Explanation['layers'][number]): boolean =>
    !flag || layer === 'flag' || managed === true;
  const lists = allowed.layers
    .filter(counts)
    .flatMap(({value, source, layer}) =>
      Array.isArray(value) ? [{names: new Set(value.map(normalise)), source: source ?? layer}] : [],
    );
  const without = excluded.layers
    .filter(({managed}) => !flag || managed === true)
    .flatMap(({value, source, layer}) =>
      Array.isArray(value) ? value.map((name) => ({name: normalise(name), source: source ?? layer})) : [],
    );
  return ({name}) => {
    if (Object.hasOwn(required, name)) return undefined;
    const list = lists.find(({names}) => !names.has(normalise(name)));
    if (list)
      return {reason: 'not-allowed', sentence: `The MCP server "${name}" is not in mcp.allowed of ${list.source}.`};
    const out = without.find((one) => one.name === normalise(name));
    return out && {reason: 'excluded', sentence: `The MCP server "${name}" is in mcp.excluded of ${out.source}.`};
  };
}

function explainDisabled(reason: LeftOutReason | undefined, name: string): Configured['leftOut'] {
  if (reason === undefined) return undefined;
  const sentence =
    reason === 'disabled-in-session'
      ? `The MCP server "${name}" is disabled for this session.`
      : `The MCP server "${name}" is disabled. Enable it with \`gemini mcp enable ${name}\`.`;
  return {reason, sentence};
}
