import {distanceBetween} from '@gemini-kernel/kernel';

export const SHELL = 'run_shell_command';

/**
 * Tools of the product whose rule files we read, so that a rule about one that is not installed here is not taken for a
 * slip.
 */
const REFERENCE_TOOLS: ReadonlySet<string> = new Set([
  'activate_skill',
  'ask_user',
  'complete_task',
  'enter_plan_mode',
  'exit_plan_mode',
  'get_internal_docs',
  'glob',
  'google_web_search',
  'grep_search',
  'invoke_agent',
  'list_background_processes',
  'list_directory',
  'list_mcp_resources',
  'read_background_output',
  'read_file',
  'read_many_files',
  'read_mcp_resource',
  'replace',
  SHELL,
  'save_memory',
  'search_file_content',
  'tracker_add_dependency',
  'tracker_create_task',
  'tracker_get_task',
  'tracker_list_tasks',
  'tracker_update_task',
  'tracker_visualize',
  'update_topic',
  'web_fetch',
  'write_file',
  'write_todos',
  'codebase_investigator',
  'cli_help',
]);

/** Names of classes that settings of old used for tools. */
const CLASS_NAMES: Readonly<Record<string, string>> = {
  EditTool: 'replace',
  GlobTool: 'glob',
  GrepTool: 'grep_search',
  LSTool: 'list_directory',
  MemoryTool: 'save_memory',
  ReadFileTool: 'read_file',
  ReadManyFilesTool: 'read_many_files',
  RipGrepTool: 'grep_search',
  ShellTool: SHELL,
  WebFetchTool: 'web_fetch',
  WebSearchTool: 'google_web_search',
  WriteFileTool: 'write_file',
  WriteTodosTool: 'write_todos',
};

const TWINS: Readonly<Record<string, string>> = {
  grep_search: 'search_file_content',
  search_file_content: 'grep_search',
};

/** A tool under each name that it goes by. */
export function withTwin(name: string): readonly string[] {
  const twin = Object.hasOwn(TWINS, name) ? TWINS[name] : undefined;
  return twin === undefined ? [name] : [name, twin];
}

/** The tool that a name in the settings means. */
export function resolveClassName(name: string): string {
  return (Object.hasOwn(CLASS_NAMES, name) ? CLASS_NAMES[name] : undefined) ?? name;
}

/** Names of MCP tools that are longer lose their middle; this much of the beginning and of the end is sure to stay. */
const LONGEST_NAME = 63;
const SURE = 28;

/** The pattern for a tool of an MCP server as the model sees it; `*` stands for any server or tool. */
export function composeServerTool(server: string, tool: string): string {
  if (server === '*' && tool === '*') return 'mcp_*';
  const prefix = `mcp_${server.replace(/[^A-Za-z0-9_.:*-]/g, '_')}_`;
  const name = tool.startsWith(prefix) ? tool : `${prefix}${tool}`;
  if (name.length <= LONGEST_NAME && (tool !== '*' || prefix.length <= SURE)) return name;
  return `${name.slice(0, SURE)}*${tool === '*' ? '' : name.slice(-SURE)}`;
}

/** Whether a pattern, in which `*` stands for any run of characters, matches a name. */
export function matchesName(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return pattern === name;
  if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of rest) {
    const found = name.slice(0, name.length - tail.length).indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** What looks wrong about the name of a tool: a sentence and perhaps the name that was meant. */
export function findNameFault(
  name: string,
  knownTools: ReadonlySet<string>,
): {readonly message: string; readonly nearest?: string} | undefined {
  if (knownTools.has(name) || REFERENCE_TOOLS.has(name) || /^(?:mcp|discovered_tool)_[^*]*$/.test(name))
    return undefined;
  const candidates = [...new Set([...knownTools, ...REFERENCE_TOOLS])];
  if (name.includes('*')) {
    // What it matches may come at run time.
    const head = name.slice(0, name.indexOf('*'));
    const isOpen = ['mcp_', 'discovered_tool_'].some((prefix) => prefix.startsWith(head) || head.startsWith(prefix));
    return isOpen || candidates.some((candidate) => matchesName(name, candidate))
      ? undefined
      : {message: `No tool has a name like "${name}".`};
  }
  if (Object.hasOwn(CLASS_NAMES, name))
    return {message: `"${name}" is the name of a class, not of a tool.`, nearest: resolveClassName(name)};
  if (name.includes('__'))
    return {message: `No tool is called "${name}": a tool of an MCP server is called mcp_<server>_<tool>.`};
  const [nearest] = candidates
    .map((candidate) => ({candidate, distance: distanceBetween(name, candidate)}))
    .filter(({distance}) => distance <= Math.min(3, name.length / 2))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return nearest && {message: `No tool is called "${name}".`, nearest: nearest.candidate};
}
