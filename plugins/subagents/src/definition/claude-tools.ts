/** Tools of Claude Code by our names; a tool without a counterpart is named in a warning. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  Agent: ['invoke_agent'],
  AskUserQuestion: ['ask_user'],
  Bash: ['run_shell_command'],
  Edit: ['replace'],
  Glob: ['glob'],
  Grep: ['grep_search'],
  LS: ['list_directory'],
  MultiEdit: ['replace'],
  Read: ['read_file', 'read_many_files'],
  Skill: ['activate_skill'],
  Task: ['invoke_agent'],
  TodoWrite: ['write_todos'],
  WebFetch: ['web_fetch'],
  WebSearch: ['google_web_search'],
  Write: ['write_file'],
};

/** Models of Claude Code; there is nothing that they mean here. */
export const CLAUDE_MODELS: ReadonlySet<string> = new Set(['sonnet', 'opus', 'haiku']);

/** Our names for a name in a list of tools; undefined for one that is not a name of Claude Code. */
export function fromClaude(name: string): readonly string[] | undefined {
  // `Bash(npm test:*)` limits the arguments, which rules do here.
  const plain = name.replace(/\(.*\)$/s, '');
  if (Object.hasOwn(TOOLS, plain)) return TOOLS[plain];
  const [, server, tool] = /^mcp__([^_]+(?:_[^_]+)*?)__(.+)$/.exec(plain) ?? [];
  return server !== undefined && tool !== undefined ? [`mcp_${server}_${tool}`] : undefined;
}
