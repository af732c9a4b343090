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
      tools.push({remote: {...tool, name: String(tool['name'])}, sourced: toSourced(config, tool)});
    }
  }
  return {tools, faults};
}

function findFault(tool: unknown): string | undefined {
  if (!isTable(tool)) return 'it is not an object';
  const {name, description, inputSchema, outputSchema} = tool;
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (description !== undefined && typeof description !== 'string') return 'its description is not text';
  if (!isTable(inputSchema)) return 'it has no inputSchema';
  if (inputSchema['type'] !== undefined && inputSchema['type'] !== 'object')
    return `its inputSchema describes ${JSON.stringify(inputSchema['type'])} instead of an object`;
  if (outputSchema !== undefined && !isTable(outputSchema)) return 'its outputSchema is not an object';
  return undefined;
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

function hintsOf(annotations: Readonly<Record<string, unknown>>): ToolAnnotations {
  return Object.fromEntries(
    HINTS.flatMap((hint) => (typeof annotations[hint] === 'boolean' ? [[hint, annotations[hint]]] : [])),
  );
}
