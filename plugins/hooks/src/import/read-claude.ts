import type {HookEvent} from '../contract.js';
import {events, isEvent} from '../events.js';
import {isTable} from '../is-table.js';
import {claudeTools} from '../run/claude-shape.js';

/** A hook of Claude Code as settings of gemini have it. */
export interface FoundHook {
  readonly event: HookEvent;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly command: string;
}

export interface FoundHooks {
  readonly hooks: readonly FoundHook[];
  /** Sentences about what cannot be taken. */
  readonly notes: readonly string[];
}

function eventOf(claude: string): HookEvent | undefined {
  return Object.keys(events)
    .filter(isEvent)
    .find((name) => events[name].claude === claude);
}

/** Reads the hooks in a settings file of Claude Code. */
export function readClaude(settings: unknown): FoundHooks {
  const hooks: FoundHook[] = [];
  const notes: string[] = [];
  const table = isTable(settings) && isTable(settings['hooks']) ? settings['hooks'] : {};
  for (const [name, definitions] of Object.entries(table)) {
    const event = eventOf(name);
    if (event === undefined || !Array.isArray(definitions)) {
      notes.push(`Hooks of ${name} are not taken: gemini has no such event.`);
      continue;
    }
    for (const definition of definitions as readonly unknown[]) {
      if (!isTable(definition) || !Array.isArray(definition['hooks'])) continue;
      for (const one of definition['hooks'] as readonly unknown[]) {
        const found = readOne(event, definition['matcher'], one);
        if (typeof found === 'string') notes.push(`A hook of ${name} is not taken: ${found}`);
        else hooks.push(...found);
      }
    }
  }
  return {hooks, notes};
}

function readOne(event: HookEvent, matcher: unknown, hook: unknown): readonly FoundHook[] | string {
  if (!isTable(hook)) return 'it is not an object.';
  const {type = 'command', command, timeout} = hook;
  if (type !== 'command') return `its type is ${JSON.stringify(type)}.`;
  if (typeof command !== 'string' || command.trim() === '') return 'it has no command.';
  const made = {
    type: 'command',
    command,
    shape: 'claude',
    // Claude Code counts in seconds.
    ...(typeof timeout === 'number' && timeout > 0 ? {timeout: timeout * 1000} : {}),
  };
  return matchersOf(event, matcher).map((one) => ({
    event,
    command,
    definition: {...(one === undefined ? {} : {matcher: one}), hooks: [made]},
  }));
}

/** Names of tools become ours; a choice of other words becomes a definition for each. */
function matchersOf(event: HookEvent, matcher: unknown): readonly (string | undefined)[] {
  const {matches} = events[event];
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*' || matches === undefined) return [undefined];
  if (matches === 'exact')
    return matcher.split('|').map((one) => (one === 'permission_prompt' ? 'ToolPermission' : one));
  const own = matcher
    .replace(/\bmcp__(\w+?)__/g, 'mcp_$1_')
    .replace(/\b[A-Z][A-Za-z]+\b/g, (word) => (Object.hasOwn(claudeTools, word) ? (claudeTools[word] ?? word) : word));
  return [own];
}
