import type {ToolInfo} from '@gemini-kernel/kernel';
import type {ToolKind} from '#sdk';

/** The inputs that best describe a call. */
const TELLING = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'prompt', 'dir_path', 'name'] as const;
const PATHS = ['file_path', 'path', 'dir_path', 'absolute_path'] as const;
const MOST_TITLE = 200;

type Values = Readonly<Record<string, unknown>>;

/** A call in one line: the command itself, or the tool with its main input. */
export function titleOf(tool: string, input: unknown): string {
  const values = valuesOf(input);
  const told = TELLING.map((name) => values[name]).find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  const {command, agent_name: agent} = values;
  const who = typeof agent === 'string' ? `${tool} ${agent}:` : tool;
  const title = command === told && told !== undefined ? told : told === undefined ? who : `${who} ${told}`;
  const line = title.replaceAll(/\s+/g, ' ').trim();
  return line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE - 1)}…` : line;
}

/** Whether an input is a command line. */
export function isCommand(input: unknown): boolean {
  return typeof valuesOf(input)['command'] === 'string';
}

/** The path that an input names, as written. */
export function pathOf(input: unknown): string | undefined {
  const values = valuesOf(input);
  return PATHS.map((name) => values[name]).find((value): value is string => typeof value === 'string' && value !== '');
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  ...{read: 'read', search: 'search', edit: 'edit', delete: 'delete', move: 'move'},
  ...{execute: 'execute', fetch: 'fetch', think: 'think'},
};

/** The kind of a tool for the protocol. */
export function kindOf({name, effect}: Pick<ToolInfo, 'name' | 'effect'>): ToolKind {
  return name.endsWith('_plan_mode') ? 'switch_mode' : (KINDS[effect] ?? 'other');
}

function valuesOf(input: unknown): Values {
  return typeof input === 'object' && input !== null ? (input as Values) : {};
}
