import type {JSONSchema} from './json-schema.js';
import type {SessionInfo} from './session.js';

export type Effect = 'read' | 'search' | 'edit' | 'delete' | 'move' | 'execute' | 'fetch' | 'think' | 'other';

/** One thing that a call reaches for. Paths are absolute and real: what is judged is what is opened. */
export interface Touch {
  readonly kind: 'path' | 'command' | 'url';
  readonly value: string;
  readonly access: 'read' | 'write' | 'run';
  /** Where a command runs. */
  readonly directory?: string;
  /** Whether a command is given something to read, which could be commands. */
  readonly hasInput?: boolean;
  /** The path that the tool itself works on; at most one touch of a call. `subjectOf` gives it to the tool. */
  readonly isSubject?: boolean;
}

/** What a person or an editor is shown before a call runs. */
export type Preview =
  | {
      readonly kind: 'diff';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      readonly diff: string;
    }
  | {readonly kind: 'command'; readonly command: string; readonly directory: string}
  | {readonly kind: 'urls'; readonly urls: readonly string[]}
  | {readonly kind: 'text'; readonly text: string};

export type Part = {readonly text: string} | {readonly inlineData: {readonly mimeType: string; readonly data: string}};

/**
 * What a finished tool gives: `model` goes back to the model, `display` to people, `data` to programs, `plain` to
 * scripts: the text of `model` without what is said about it. All JSON.
 */
export interface ToolResult {
  readonly model: string | readonly Part[];
  readonly display?: string;
  readonly data?: unknown;
  readonly plain?: string;
}

/** The schema of a ToolResult. */
export const resultSchema: JSONSchema = {
  type: 'object',
  required: ['model'],
  properties: {
    model: {type: ['string', 'array'], items: {type: 'object'}},
    display: {type: 'string'},
    data: {},
    plain: {type: 'string'},
  },
};

export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** One call on its way down the one path, as hooks see it. Frozen. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly annotations: ToolAnnotations;
  readonly input: unknown;
  readonly touches: readonly Touch[];
  /** The state when the call began; `interactive` also if the caller answers for a person. */
  readonly session: SessionInfo;
  /** The plugin whose tool it is; absent only in calls that were made up. */
  readonly plugin?: string;
  /** The MCP server that the tool belongs to. */
  readonly server?: string;
  /** Who calls, when it is not the main agent. */
  readonly subagent?: string;
  /** Set when a person asked for exactly this call, so that a question about it is already answered. */
  readonly asker?: 'person';
}

/** The path that the tool works on, as it was judged. Throws when the tool marked no touch as its subject. */
export function subjectOf({tool, touches}: ToolCall): string {
  const subject = touches.find(({isSubject}) => isSubject);
  if (!subject) throw new TypeError(`${tool} marks no touch as its subject.`);
  return subject.value;
}

/** What a gate can decide, from the mildest to the strictest. */
export const decisions = ['allow', 'ask', 'deny'] as const;

/** A gate's answer. */
export interface Verdict {
  readonly decision: (typeof decisions)[number];
  readonly reason: string;
  /** Additional information for the caller; several texts are joined. */
  readonly context?: string;
}

/** How far a call is. */
export interface Progress {
  readonly text: string;
  readonly done?: number;
  readonly total?: number;
}
