import type {Touch} from '@gemini-kernel/kernel';
import type {SimpleCommand} from '../bash/analysis.js';
import {APPROVAL_PRIORITY, modes, type CommandCondition, type Mode, type Rule} from '../rule.js';
import {escapeRegex} from './escape-regex.js';
import {escapeGlob} from './path-pattern.js';
import {LONGEST_PATTERN} from './regex-fault.js';
import {EXACT_ONLY} from './risky-programs.js';
import {DEEPER, RISKY_SUBCOMMANDS, SUBCOMMANDS} from './subcommands.js';
import {SHELL} from './tool-names.js';

/** A call that a person allowed for good. */
export interface ApprovedCall {
  readonly tool: string;
  readonly server?: string;
  /** Of the session when it was approved. */
  readonly mode: Mode;
  readonly touches: readonly Touch[];
  /** What its shell line runs; undefined for other tools, and when that is unknown without running the line. */
  readonly commands?: readonly SimpleCommand[];
  /** Whether the line reads or writes files by redirection. */
  readonly redirects?: boolean;
  /** The workspace root that the approval is limited to; without it, it holds everywhere. */
  readonly root?: string;
}

/** Tools for which an approval without a file or a command would be one for everything they can reach. */
const NARROWED = new Set([
  'glob',
  'grep_search',
  'search_file_content',
  'read_many_files',
  'read_file',
  'list_directory',
  'write_file',
  'replace',
  SHELL,
]);

/**
 * The rules that allow what was approved, and no more, from now on: in the mode it was approved in and in all that ask
 * less. Empty when there is no rule that is narrow enough.
 */
export function narrowApproval(call: ApprovedCall): readonly Rule[] {
  const {tool, server, touches, commands, redirects = false, root} = call;
  const label = 'Approved for good';
  const base: Rule = {
    id: label,
    source: {tier: 'session', label},
    tools: [tool],
    ...(server === undefined ? {} : {server}),
    ...(root === undefined ? {} : {workspaceRoot: [escapeGlob(slashed(root))]}),
    decision: 'allow',
    priority: APPROVAL_PRIORITY,
    modes: modes.slice(modes.indexOf(call.mode)),
    allowRedirection: redirects,
    sensitive: false,
  };
  if (tool === SHELL || commands) return narrowCommands(commands ?? []).map((command) => ({...base, command}));
  if (server !== undefined) return [base];
  const paths = [...new Set(touches.filter(({kind}) => kind === 'path').map(({value}) => escapeGlob(slashed(value))))];
  if (paths.length > 0) return [{...base, path: paths}];
  return NARROWED.has(tool) ? [] : [base];
}

/** The conditions for every command of a line; none when one of them cannot be distinguished from others. */
function narrowCommands(commands: readonly SimpleCommand[]): readonly CommandCondition[] {
  const conditions = commands.map(narrowCommand);
  if (conditions.includes(undefined)) return [];
  return [...new Map(conditions.flatMap((one) => (one ? [[JSON.stringify(one), one] as const] : []))).values()];
}

function narrowCommand({words, text}: SimpleCommand): CommandCondition | undefined {
  const values = words.map(({value}) => value);
  // An approval of what only running could tell would be one of anything.
  if (values.length === 0 || values.includes(undefined)) return undefined;
  const prefix = prefixOf(values.map((value) => value ?? ''));
  if (prefix !== undefined) return {prefix};
  const pattern = `${escapeRegex(text)}$`;
  return pattern.length > LONGEST_PATTERN ? undefined : {pattern, anchored: true};
}

/** As many words as say what a command does; undefined when only all of them do. */
function prefixOf([name = '', ...rest]: readonly string[]): string | undefined {
  const program = name.replace(/\.(?:exe|cmd|bat)$/i, '').toLowerCase();
  if (!/^[A-Za-z][\w.-]*$/.test(name) || runsAnything(program)) return undefined;
  if (!SUBCOMMANDS.has(program)) return name;
  const [first = ''] = rest;
  const depth = DEEPER.has(program) || DEEPER.has(`${program} ${first}`) ? 2 : 1;
  const words = rest.slice(0, depth);
  const isPlain = words.length === depth && words.every((word) => /^[A-Za-z][\w:.-]*$/.test(word));
  return isPlain && !isRisky(program, rest) ? [name, ...words].join(' ') : undefined;
}

function runsAnything(program: string): boolean {
  return EXACT_ONLY.has(program) || /^(?:python|pypy|perl|ruby|php|lua|node)[\d.]+$/.test(program);
}

function isRisky(program: string, [first, second]: readonly string[]): boolean {
  return [[first], [first, second]].some((words) => RISKY_SUBCOMMANDS.has([program, ...words].join(' ')));
}

/** As rules see paths on every platform. */
function slashed(path: string): string {
  return /^(?:[A-Za-z]:)?\\/.test(path) ? path.replaceAll('\\', '/') : path;
}
