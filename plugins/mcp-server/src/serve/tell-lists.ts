import type {Server} from '#sdk';

/** Tells a connected client that a list is no longer what it was, when a source of this name lists something else. */
export async function tellLists(
  server: Server,
  source: string,
  has: {readonly resources: boolean; readonly prompts: boolean},
): Promise<void> {
  if (source.startsWith('tools:')) await server.sendToolListChanged();
  if (source.startsWith('mcp-resources:') && has.resources) await server.sendResourceListChanged();
  if (source.startsWith('mcp-prompts:') && has.prompts) await server.sendPromptListChanged();
}
