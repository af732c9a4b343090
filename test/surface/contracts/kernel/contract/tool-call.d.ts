import type { JSONSchema } from './json-schema.js';
import type { SessionInfo } from './session.js';
export type Effect = 'read' | 'search' | 'edit' | 'delete' | 'move' | 'execute' | 'fetch' | 'think' | 'other';
export interface Touch {
  readonly kind: 'path' | 'command' | 'url';
  readonly value: string;
  readonly access: 'read' | 'write' | 'run';
  readonly directory?: string;
  readonly hasInput?: boolean;
  readonly isSubject?: boolean;
}
export type Preview =
  | {
      readonly kind: 'diff';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      readonly diff: string;
    }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly directory: string;
    }
  | {
      readonly kind: 'urls';
      readonly urls: readonly string[];
    }
  | {
      readonly kind: 'text';
      readonly text: string;
    };
export type Part =
  | {
      readonly text: string;
    }
  | {
      readonly inlineData: {
        readonly mimeType: string;
        readonly data: string;
      };
    };
export interface ToolResult {
  readonly model: string | readonly Part[];
  readonly display?: string;
  readonly data?: unknown;
  readonly plain?: string;
}
export declare const resultSchema: JSONSchema;
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly annotations: ToolAnnotations;
  readonly input: unknown;
  readonly touches: readonly Touch[];
  readonly session: SessionInfo;
  readonly plugin?: string;
  readonly server?: string;
  readonly subagent?: string;
  readonly asker?: 'person';
}
export declare function subjectOf({ tool, touches }: ToolCall): string;
export declare const decisions: readonly ['allow', 'ask', 'deny'];
export interface Verdict {
  readonly decision: (typeof decisions)[number];
  readonly reason: string;
  readonly context?: string;
}
export interface Progress {
  readonly text: string;
  readonly done?: number;
  readonly total?: number;
}
