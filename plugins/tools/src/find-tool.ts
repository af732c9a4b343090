import {findNearest, ToolError, type Session} from '@gemini-kernel/kernel';
import type {Kernel, ToolInfo} from '@gemini-kernel/kernel/host';

/**
 * The tool of that name; only for one that no manifest has are sources asked, which may have to start a server. Throws
 * ToolError TOOL_UNKNOWN with the nearest names.
 */
export async function findTool(
  {catalog}: Pick<Kernel, 'catalog'>,
  session: Pick<Session, 'tools'>,
  name: string,
): Promise<ToolInfo> {
  const own = catalog.tools.get(name);
  if (own) {
    const {module: _, ...info} = own;
    return info;
  }
  const tools = await session.tools();
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
