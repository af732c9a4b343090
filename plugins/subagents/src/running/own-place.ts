import type {PlaceOptions, ServiceContext} from '@gemini-kernel/kernel';
import type {AgentInfo, RunningAgents, Worktree} from '../contract.js';

/** The flag of a place that says whose MCP servers are there. */
export const SERVERS = 'agents.servers';

interface Parts {
  readonly context: Pick<ServiceContext, 'environment'>;
  readonly running: RunningAgents;
}

/**
 * Where an agent works: with its caller, unless it has a worktree or MCP servers of its own. These start in a place of
 * its own, and end with it.
 */
export async function withPlace<T>(
  {context: {environment}, running}: Parts,
  {agent: {name, servers}, tree}: {readonly agent: AgentInfo; readonly tree: Worktree | undefined},
  act: (place: PlaceOptions) => Promise<T>,
): Promise<T> {
  const {cwd, variables, flags} = environment;
  if (!servers || Object.keys(servers).length === 0) return act(tree ? {cwd: tree.folder, variables, flags} : {});
  const key = environment.newId();
  await running.lendServers(key, {agent: name, servers});
  try {
    return await act({cwd: tree?.folder ?? cwd, variables, flags: {...flags, [SERVERS]: key}});
  } finally {
    await running.takeServers(key);
  }
}

/** The tools that an agent has: those of its own servers, too. */
export function toolsOf({tools, servers = {}}: Pick<AgentInfo, 'tools' | 'servers'>): readonly string[] | undefined {
  return tools && [...tools, ...Object.keys(servers).map((name) => `mcp_${name}_*`)];
}
