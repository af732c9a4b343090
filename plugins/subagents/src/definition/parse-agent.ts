import {splitFrontMatter, type HeadValue} from '@gemini-kernel/files';
import type {AgentDefinition} from '../contract.js';
import {isRemote, readRemote, REMOTE_MINUTES} from './read-remote.js';
import {readAgentServers} from './read-servers.js';
import {CLAUDE_MODELS, fromClaude} from './claude-tools.js';

/** What a file says; the origin is known from where it is. */
export interface ParsedAgent {
  readonly definition: Omit<AgentDefinition, 'origin'>;
  /** What was read and has no effect. */
  readonly warnings: readonly string[];
}

type Head = ReadonlyMap<string, HeadValue>;

export const USUAL = {model: 'inherit', temperature: 1, topP: 0.95, maxTurns: 30, maxMinutes: 10} as const;

const NAME = /^[a-z0-9_-]{1,64}$/;
const TOOL = /^(?:\*|[A-Za-z_][\w.:*-]{0,127})$/;
/** Keys that are read; those of Claude Code that change nothing here are named in a warning. */
const KNOWN = new Set(
  ['name', 'description', 'kind', 'display_name', 'tools', 'model', 'temperature', 'top_p'].concat([
    'max_turns',
    'timeout_mins',
    'max_tokens',
    'max_cost',
    'isolation',
    'mcp_servers',
    'agent_card_url',
    'agent_card_json',
    'auth',
  ]),
);

/** Reads the definition of an agent; or says what is wrong with it, as a sentence without its subject. */
export function parseAgent(text: string): ParsedAgent | string {
  if (text.includes('\0')) return 'is not text';
  const split = splitFrontMatter(text);
  if (typeof split === 'string') return split;
  const parsed = parseHead(split.head, split.body);
  if (typeof parsed === 'string') return parsed;
  return isRemote(split.head) ? withRemote(parsed, split.head, text) : withServers(parsed, text);
}

/** Its model, turns and tools are its own affair. */
function withRemote(parsed: ParsedAgent, head: Head, text: string): ParsedAgent | string {
  const remote = readRemote(head, text);
  if (typeof remote === 'string') return remote;
  const {description, ...definition} = parsed.definition;
  const maxMinutes = head.has('timeout_mins') ? definition.maxMinutes : REMOTE_MINUTES;
  return {
    ...parsed,
    definition: {...definition, description: description || 'An agent of another program.', maxMinutes, remote},
  };
}

function withServers(parsed: ParsedAgent, text: string): ParsedAgent | string {
  const servers = readAgentServers(text);
  if (typeof servers === 'string') return servers;
  return servers ? {...parsed, definition: {...parsed.definition, servers}} : parsed;
}

function parseHead(head: Head, body: string): ParsedAgent | string {
  const fault = findFault(head, body);
  if (fault !== undefined) return fault;
  const warnings: string[] = [];
  const numbers = readNumbers(head);
  if (typeof numbers === 'string') return numbers;
  const tools = readTools(head, warnings);
  if (typeof tools === 'string') return tools;
  for (const key of head.keys()) if (!KNOWN.has(key)) warnings.push(`The key ${key} has no effect.`);
  const [name, displayName] = [textOf(head, 'name'), textOf(head, 'display_name')];
  const description = describe(head);
  return {
    definition: {
      ...{name, description, body, ...numbers, model: readModel(head, warnings)},
      ...(displayName === '' ? {} : {displayName}),
      ...(tools === undefined ? {} : {tools}),
      ...(textOf(head, 'isolation') === 'worktree' ? {isolation: 'worktree' as const} : {}),
    },
    warnings,
  };
}

function findFault(head: Head, body: string): string | undefined {
  const name = textOf(head, 'name');
  if (!NAME.test(name)) return `has the name ${JSON.stringify(name.slice(0, 70))}: use a-z, 0-9, - and _`;
  if (describe(head) === '' && !isRemote(head)) return 'has no description in its head';
  const isolation = textOf(head, 'isolation');
  if (!['', 'none', 'worktree'].includes(isolation))
    return `sets isolation to ${JSON.stringify(isolation.slice(0, 40))}, which is not none or worktree`;
  return body === '' && !isRemote(head) ? 'has no instruction below its head' : undefined;
}

function describe(head: Head): string {
  return textOf(head, 'description').replaceAll(/\s+/g, ' ');
}

function readModel(head: Head, warnings: string[]): string {
  const model = textOf(head, 'model');
  if (model === '') return USUAL.model;
  if (!CLAUDE_MODELS.has(model)) return model;
  warnings.push(`The model ${model} is one of Claude Code; the model of the conversation is used.`);
  return USUAL.model;
}

/** A list, or names between commas and spaces. */
function readTools(head: Head, warnings: string[]): readonly string[] | undefined | string {
  const value = head.get('tools');
  if (value === undefined) return undefined;
  const given = Array.isArray(value) ? (value as readonly string[]) : String(value).match(/(?:\([^)]*\)|[^\s,])+/g);
  const tools: string[] = [];
  for (const name of given ?? []) {
    const ours = fromClaude(name);
    if (!ours && !TOOL.test(name)) return `names the tool ${JSON.stringify(name.slice(0, 60))}, which cannot be a name`;
    if (ours && name.includes('('))
      warnings.push(`${name} does not limit the arguments here: write a rule with subagent for that.`);
    tools.push(...(ours ?? [name]));
  }
  return [...new Set(tools)];
}

const LIMITS = [
  ['temperature', 'temperature', 0, 2],
  ['top_p', 'topP', 0, 1],
  ['max_turns', 'maxTurns', 1, 1000],
  ['timeout_mins', 'maxMinutes', 0.01, 24 * 60],
  ['max_tokens', 'maxTokens', 1, 1e9],
  ['max_cost', 'maxCost', 0.0001, 1e6],
] as const;

const WHOLE: ReadonlySet<string> = new Set(['maxTurns', 'maxTokens']);

type Numbers = Pick<AgentDefinition, (typeof LIMITS)[number][1]>;

function readNumbers(head: Head): Numbers | string {
  const {model, ...usual} = USUAL;
  void model;
  const numbers: {-readonly [name in keyof Numbers]: Numbers[name]} = {...usual};
  for (const [key, name, least, most] of LIMITS) {
    const text = textOf(head, key);
    if (text === '') continue;
    const value = Number(text);
    const isWhole = !WHOLE.has(name) || Number.isInteger(value);
    if (!(value >= least && value <= most) || !isWhole)
      return `sets ${key} to ${JSON.stringify(text.slice(0, 40))}, which is not a number from ${least} to ${most}`;
    numbers[name] = value;
  }
  return numbers;
}

function textOf(head: Head, key: string): string {
  const value = head.get(key);
  return typeof value === 'string' ? value.trim() : '';
}
