import {findNearest, ToolError} from '@gemini-kernel/kernel';
import type {ToolInfo} from '@gemini-kernel/kernel/host';

/** The tool of that name. Throws ToolError TOOL_UNKNOWN with the nearest names. */
export function findTool(tools: readonly ToolInfo[], name: string): ToolInfo {
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  const near = findNearest(
    name,
    tools.map((tool) => tool.name),
  );
  throw new ToolError('TOOL_UNKNOWN', `There is no tool ${name}.`, {
    hint: near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'Run gemini tools list to see all tools.',
  });
}
