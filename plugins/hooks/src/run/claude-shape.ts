import {events} from '../events.js';
import type {HookEvent} from '../contract.js';

type Table = Readonly<Record<string, unknown>>;

/** Tools by the name that Claude Code gives them. */
export const claudeTools: Readonly<Record<string, string>> = {
  Bash: 'run_shell_command',
  BashOutput: 'read_background_output',
  Edit: 'replace',
  Glob: 'glob',
  Grep: 'grep_search',
  LS: 'list_directory',
  MultiEdit: 'replace',
  NotebookEdit: 'replace',
  Read: 'read_file',
  Task: 'invoke_agent',
  TodoWrite: 'write_todos',
  WebFetch: 'web_fetch',
  WebSearch: 'google_web_search',
  Write: 'write_file',
};

/** The name of a tool as hooks of Claude Code know it. */
export function claudeToolName(tool: string): string {
  const known = Object.entries(claudeTools).find(([, own]) => own === tool)?.[0];
  return known ?? (tool.startsWith('mcp_') ? tool.replace(/^mcp_(.+?)_/, 'mcp__$1__') : tool);
}

/** The input of an event in the JSON of Claude Code. */
export function toClaudeInput(event: HookEvent, input: Table): Table {
  const {tool_name: tool, prompt_response: response, ...rest} = input;
  return {
    ...rest,
    hook_event_name: events[event].claude ?? event,
    ...(typeof tool === 'string' ? {tool_name: claudeToolName(tool)} : {}),
    ...(response === undefined ? {} : {last_assistant_message: response}),
  };
}
