import type {JSONSchema, SourcedTool, ToolAnnotations} from '@gemini-kernel/kernel';
import {isTable} from '../config/is-table.js';
import type {ServerConfig} from '../config/server-config.js';
import {composeToolName} from './tool-name.js';

/** A tool as its server describes it; every part of it may be anything. */
export type RemoteTool = Readonly<Record<string, unknown>>;

/** A tool that sessions are offered, and the one that its server has. */
export interface OfferedTool {
  readonly sourced: SourcedTool;
  readonly remote: RemoteTool & {readonly name: string};
}

/** The tools of one server, and what is wrong with those that are left out. */
export interface Offered {
  readonly tools: readonly OfferedTool[];
  readonly faults: readonly string[];
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const MOST_DESCRIPTION = 20_000;
/** The kernel takes no deeper JSON. */
const MOST_LEVELS = 400;

/** The tools that a configuration lets through, with invalid definitions left out one by one. */
export function offerTools(config: ServerConfig, remote: readonly RemoteTool[]): Offered {
  const faults: string[] = [];
  const tools: OfferedTool[] = [];
  for (const [index, tool] of remote.entries()) {
    const fault = findFault(tool);
    if (fault !== undefined) {
      const name = isTable(tool) && typeof tool['name'] === 'string' ? JSON.stringify(tool['name']) : `${index + 1}`;
      faults.push(`Tool ${name} of the MCP server "${config.name}" is left out: ${fault}.`);
    } else if (isWanted(config, String(tool['name']))) {
      const sourced = freezeJson(toSourced(config, tool));
      tools.push({remote: {...tool, name: String(tool['name'])}, sourced});
    }
  }
  return {tools, faults};
}

function findFault(tool: unknown): string | undefined {
  if (!isTable(tool)) return 'it is not an object';
  if (isDeeper(tool, MOST_LEVELS)) return `it is nested more than ${MOST_LEVELS} levels deep`;
  const {name, description, inputSchema, outputSchema} = tool;
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (description !== undefined && typeof description !== 'string') return 'its description is not text';
  if (!isTable(inputSchema)) return 'it has no inputSchema';
  if (inputSchema['type'] !== undefined && inputSchema['type'] !== 'object')
    return `its inputSchema describes ${JSON.stringify(inputSchema['type'])} instead of an object`;
  if (outputSchema !== undefined && !isTable(outputSchema)) return 'its outputSchema is not an object';
  return undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** An entry of `includeTools` may have its arguments in parentheses. */
function isWanted({includeTools, excludeTools}: ServerConfig, name: string): boolean {
  if (excludeTools?.includes(name)) return false;
  return includeTools?.some((one) => one === name || one.startsWith(`${name}(`)) ?? true;
}

function toSourced({name: server}: ServerConfig, tool: RemoteTool): SourcedTool {
  const {name, description = '', inputSchema, annotations} = tool;
  return {
    name: composeToolName(server, String(name)),
    description: String(description).slice(0, MOST_DESCRIPTION),
    // What a server says about effects is a hint, and decides nothing.
    effect: 'other',
    input: inputSchema as JSONSchema,
    ...(isTable(annotations) ? {annotations: hintsOf(annotations)} : {}),
    server,
  };
}

/** Freezes JSON all the way down: the kernel passes on what is frozen without a copy for each session. */
function freezeJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freezeJson(part);
  return Object.freeze(value);
}

function hintsOf(annotations: Readonly<Record<string, unknown>>): ToolAnnotations {
  return Object.fromEntries(
    HINTS.flatMap((hint) => (typeof annotations[hint] === 'boolean' ? [[hint, annotations[hint]]] : [])),
  );
}
