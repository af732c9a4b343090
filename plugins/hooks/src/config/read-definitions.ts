import {createHash} from 'node:crypto';
import {events, isEvent} from '../events.js';
import {isTable} from '../is-table.js';
import {isAboutTools} from '../make-input.js';
import type {ConfiguredHook} from './configured-hook.js';
import {readProbe} from './read-probe.js';

/** Where a table of hooks comes from. */
export interface Origin {
  readonly layer: string;
  readonly source?: string;
  readonly isManaged: boolean;
  readonly variables?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 60_000;
/** The longest timeout that counts: an hour. */
export const MOST_TIMEOUT_MS = 3_600_000;
/** More hooks than this of one event in one place are not read. */
const MOST_HOOKS = 200;

type Table = Readonly<Record<string, unknown>>;

/** Reads the table of one place, by event. A definition that does not describe a hook is kept, with the reason. */
export function readDefinitions(table: unknown, origin: Origin): readonly ConfiguredHook[] {
  if (!isTable(table)) return [];
  return Object.entries(table).flatMap(([event, definitions]) => {
    if (!Array.isArray(definitions)) return [invalid(event, `hooks.${event} must be a list`, origin)];
    return definitions.flatMap((definition: unknown) => readGroup(event, definition, origin)).slice(0, MOST_HOOKS);
  });
}

function readGroup(event: string, definition: unknown, origin: Origin): readonly ConfiguredHook[] {
  if (!isTable(definition)) return [invalid(event, 'a definition must be an object with "hooks"', origin)];
  const {matcher, hooks} = definition;
  if (!Array.isArray(hooks)) return [invalid(event, 'a definition must have a list "hooks"', origin)];
  if (matcher !== undefined && typeof matcher !== 'string') return [invalid(event, '"matcher" must be text', origin)];
  return hooks.map((hook: unknown) => {
    const fault = faultOf(event, hook);
    if (fault !== undefined || !isTable(hook)) return invalid(event, fault ?? 'a hook must be an object', origin);
    return readHook({event, definition, hook}, origin);
  });
}

interface Written {
  readonly event: string;
  readonly definition: Table;
  readonly hook: Table;
}

function readHook({event, definition, hook}: Written, origin: Origin): ConfiguredHook {
  const {name, description, failure} = hook;
  const command = String(hook['command']);
  const named = typeof name === 'string' && name.trim() !== '' ? name : command;
  const matcher = definition['matcher'];
  const content = {
    event,
    name: named,
    command,
    sequential: definition['sequential'] === true,
    timeoutMs: typeof hook['timeout'] === 'number' ? Math.min(hook['timeout'], MOST_TIMEOUT_MS) : TIMEOUT_MS,
    failure: failureOf(event, failure, origin),
    shape: hook['shape'] === 'claude' ? ('claude' as const) : ('gemini' as const),
    ...(typeof matcher === 'string' ? {matcher} : {}),
    ...readProbe(hook['probe'], isAboutTools(event)),
  };
  return {
    id: idOf(content),
    ...content,
    ...(typeof description === 'string' ? {description} : {}),
    ...placeOf(origin),
    isDeclared: failure === undefined ? origin.isManaged : failure === 'closed',
  };
}

/** What is written counts, then who installed it, then the event. */
function failureOf(event: string, written: unknown, {isManaged}: Origin): 'open' | 'closed' {
  const byEvent = isEvent(event) ? events[event].failure : 'never';
  if (byEvent === 'never' || written === 'open') return 'open';
  return written === 'closed' || isManaged ? 'closed' : byEvent;
}

type Test = (value: unknown) => boolean;

/** The keys of a hook, what each must be, and how that is said. */
const KEYS: Readonly<Record<string, readonly [Test, string]>> = {
  type: [(value) => value === undefined || value === 'command', 'the type must be "command"'],
  timeout: [
    (value) => value === undefined || (typeof value === 'number' && value > 0),
    '"timeout" must be milliseconds above 0',
  ],
  failure: [
    (value) => value === undefined || value === 'closed' || value === 'open',
    '"failure" must be "open" or "closed"',
  ],
  shape: [
    (value) => value === undefined || value === 'claude' || value === 'gemini',
    '"shape" must be "gemini" or "claude"',
  ],
};

/** What is wrong with one hook, as the end of a sentence. */
function faultOf(event: string, hook: unknown): string | undefined {
  if (!isEvent(event)) return `there is no event "${event.slice(0, 80)}"`;
  if (!isTable(hook)) return 'a hook must be an object';
  for (const [key, [fits, words]] of Object.entries(KEYS))
    if (!fits(hook[key])) return `${words}, not ${JSON.stringify(hook[key])}`;
  const {command} = hook;
  if (typeof command !== 'string' || command.trim() === '') return '"command" must be text';
  return command.includes('\0') ? '"command" contains a zero byte' : undefined;
}

function invalid(event: string, fault: string, origin: Origin): ConfiguredHook {
  const {source = origin.layer} = origin;
  return {
    id: idOf({event, fault, source}),
    event,
    name: '(invalid)',
    command: '',
    sequential: false,
    timeoutMs: TIMEOUT_MS,
    failure: 'open',
    shape: 'gemini',
    ...placeOf(origin),
    isDeclared: false,
    leftOut: {reason: 'invalid', sentence: `A hook of ${event} in ${source} is invalid: ${fault}.`},
  };
}

type Place = Pick<ConfiguredHook, 'layer' | 'source' | 'isManaged' | 'variables'>;

function placeOf({layer, source, isManaged, variables = {}}: Origin): Place {
  return {layer, isManaged, variables, ...(source === undefined ? {} : {source})};
}

/** The same content has the same id, whatever the order of its keys in the file. */
function idOf(content: Table): string {
  const sorted = Object.fromEntries(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
