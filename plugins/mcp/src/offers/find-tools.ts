import {markForeign, type SourcedTool, type ToolResult} from '@gemini-kernel/kernel';
import {isTable} from '../config/is-table.js';
import type {McpChoice} from '../contract.js';

export const FIND_TOOLS = 'find_tools';

/** The tool that finds other tools, with the servers that have some. */
export function findToolsTool(tools: readonly SourcedTool[]): SourcedTool {
  const counts = new Map<string, number>();
  for (const {server = ''} of tools) counts.set(server, (counts.get(server) ?? 0) + 1);
  const servers = [...counts].map(([server, count]) => `${server} (${count})`).join(', ');
  return {
    name: FIND_TOOLS,
    description:
      'Finds tools of MCP servers by what they do, and makes the best ones available for your next step. Their names ' +
      `and descriptions are searched. Servers with their numbers of tools: ${servers}.`,
    effect: 'read',
    annotations: {readOnlyHint: true},
    input: {
      type: 'object',
      required: ['query'],
      properties: {query: {type: 'string', description: 'Words for what a tool does, such as "create issue github".'}},
    },
  };
}

/** Searches, and makes available what it finds. */
export async function runFindTools(choice: McpChoice, input: unknown): Promise<ToolResult> {
  const query = isTable(input) ? String(input['query']) : '';
  const found = await choice.find(query);
  const display = found.length === 1 ? '1 tool' : `${found.length} tools`;
  if (found.length === 0) return {model: `No tool matches ${JSON.stringify(query)}. Use other words.`, display};
  const lines = found.map(({name, description}) => `- ${name}: ${firstLine(description)}`);
  return {model: [{text: 'These tools are available now:'}, {text: markForeign(lines.join('\n'))}], display};
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
