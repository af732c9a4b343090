import type {ToolCall} from '@gemini-kernel/kernel';
import type {Conditions, Mode} from '../rule.js';
import type {CompiledRule} from './compile-rule.js';
import type {Circumstances} from './judge-part.js';
import {RuleIndex} from './rule-index.js';
import {SHELL} from '../read/tool-names.js';
import {meansTool, namesOf} from './tool-pattern.js';

/** Everything about a call that does not depend on its arguments. */
export interface Situation {
  readonly tool: string;
  readonly names: readonly string[];
  readonly mode: Mode;
  readonly interactive: boolean;
  readonly trusted: boolean;
  /** Whether the system confines what the call runs. */
  readonly sandboxed: boolean;
  readonly server: string | undefined;
  readonly subagent: string | undefined;
  readonly caller: string | undefined;
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** The rules that can speak about calls in one situation. */
export interface Selection {
  /** Those that yield only to a rule that names a path. */
  readonly ordinary: RuleIndex;
  readonly sensitive: RuleIndex;
  /** Those that name a path, for the files of a shell line. */
  readonly pathOnly: RuleIndex;
  /** Those that can speak about a shell line as a whole. */
  readonly wholeLine: RuleIndex;
  /** Those that hold a place, for what deletes, moves or fills folders. */
  readonly holding: readonly CompiledRule[];
}

/** What of a call counts for which rules are looked at. */
export function situationOf(
  call: Pick<ToolCall, 'tool' | 'input' | 'annotations' | 'server' | 'subagent'>,
  {
    sandboxed = false,
    caller,
    ...session
  }: Pick<Circumstances, 'mode' | 'interactive' | 'trusted' | 'sandboxed' | 'caller'>,
): Situation {
  const {tool, input, annotations, subagent} = call;
  return {
    tool,
    names: namesOf(tool, input),
    server: call.server ?? serverIn(tool),
    subagent,
    caller,
    annotations: {...annotations},
    // Only commands are confined, whatever else a call may start.
    sandboxed: sandboxed && tool === SHELL,
    ...session,
  };
}

/** The server that a tool's name tells of: `mcp_<server>_<tool>`. */
function serverIn(tool: string): string | undefined {
  return /^mcp_([^_]+)_/.exec(tool)?.[1];
}

/** Whether the conditions that do not depend on arguments hold. */
export function isAbout(conditions: Conditions, situation: Situation): boolean {
  return (
    isAboutSession(conditions, situation) && isAboutTool(conditions, situation) && isAboutServer(conditions, situation)
  );
}

function isAboutTool({tools, except, annotations}: Conditions, situation: Situation): boolean {
  const means = (pattern: string): boolean => meansTool(pattern, situation.names);
  if (!tools.some(means) || except?.some(means)) return false;
  return Object.entries(annotations ?? {}).every(([key, value]) => situation.annotations[key] === value);
}

function isAboutServer({server, exceptServers}: Conditions, situation: Situation): boolean {
  if (exceptServers?.some((name) => name.toLowerCase() === situation.server?.toLowerCase())) return false;
  if (server === undefined) return true;
  return server === '*' ? situation.server !== undefined : server === situation.server;
}

/** A rule about callers never means a session that a person began. */
function isForCaller(pattern: string | undefined, {caller}: Situation): boolean {
  return pattern === undefined || (caller !== undefined && meansTool(pattern, [caller]));
}

/** Who calls, in which mode and where: the same for all tools of a prompt. */
export function isAboutSession(
  {subagent, caller, modes, interactive, trusted, sandboxed}: Conditions,
  situation: Situation,
): boolean {
  return (
    (subagent === undefined || subagent === situation.subagent) &&
    isForCaller(caller, situation) &&
    (modes === undefined || modes.includes(situation.mode)) &&
    (interactive === undefined || interactive === situation.interactive) &&
    (trusted === undefined || trusted === situation.trusted) &&
    (sandboxed === undefined || sandboxed === situation.sandboxed)
  );
}

/**
 * Indexes the rules about a situation. Whatever is weaker than the first rule without further conditions never has a
 * say.
 */
export function indexRules(about: readonly CompiledRule[]): Selection {
  const ordinary = about.filter(({rule}) => !rule.sensitive);
  const last = ordinary.findIndex(({isPlain, tightens}) => isPlain && !tightens);
  const reachable = last < 0 ? ordinary : ordinary.slice(0, last + 1);
  const sensitive = about.filter(({rule}) => rule.sensitive);
  return {
    ordinary: new RuleIndex(reachable),
    sensitive: new RuleIndex(sensitive),
    pathOnly: new RuleIndex(ordinary.filter(({test}) => test.path)),
    wholeLine: new RuleIndex(reachable.filter(({test}) => test.args ?? test.command?.pattern)),
    holding: about.filter(({rule}) => rule.holds),
  };
}
