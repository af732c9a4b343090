import type {TokenUsage} from '@gemini-kernel/plugin-agent/contract';
import type {Part} from '@gemini-kernel/kernel';
import type {Scratchpad} from './contract.js';

/** One part of a message as the API and the session file spell it. */
export interface RecordPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: {readonly mimeType: string; readonly data: string};
  readonly functionCall?: {
    readonly id: string;
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
  };
  readonly functionResponse?: {
    readonly id: string;
    readonly name: string;
    readonly response: Readonly<Record<string, unknown>>;
    readonly parts?: readonly RecordPart[];
  };
}

/** The result of a call, as the session file stores it with the message that made it. */
export interface CallLine {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: readonly RecordPart[];
  readonly status: 'success' | 'error' | 'cancelled';
  readonly timestamp: string;
  readonly resultDisplay?: string;
}

/** What the shared format cannot express about an entry; Gemini CLI ignores it. */
export interface Extra {
  readonly origin?: 'person' | 'tools' | 'agent' | 'none';
  readonly role?: 'user' | 'model';
  readonly severity?: 'none';
  /**
   * By index of the piece: an input that is not an object (absent: no input), an output that is not one text followed
   * by data.
   */
  readonly inputs?: Readonly<Record<string, {readonly value?: unknown}>>;
  readonly outputs?: Readonly<Record<string, readonly Part[]>>;
  readonly calls?: readonly CallExtra[];
}

export interface CallExtra {
  readonly status?: 'refused';
  readonly error?: {readonly code: string; readonly message: string};
  readonly ms: number;
  readonly input?: {readonly value?: unknown};
  readonly output?: readonly Part[];
}

/** A message line of a session file, as this program writes it. */
export interface MessageLine {
  readonly id: string;
  readonly timestamp: string;
  readonly type: 'user' | 'gemini' | 'info' | 'warning' | 'error';
  readonly content: readonly RecordPart[];
  readonly displayContent?: readonly RecordPart[];
  readonly thoughts?: readonly {readonly subject: string; readonly description: string; readonly timestamp: string}[];
  readonly tokens?: TokenUsage | null;
  readonly model?: string;
  readonly toolCalls?: readonly CallLine[];
  readonly kernel: Extra;
}

/** The first line of a session file; later lines can set its fields. */
export interface Metadata {
  readonly sessionId: string;
  readonly projectHash: string;
  readonly startTime: string;
  readonly lastUpdated: string;
  readonly kind: 'main' | 'subagent';
  /** The name of the agent whose session it is. */
  readonly agent?: string;
  readonly directories?: readonly string[];
  readonly summary?: string;
  readonly memoryScratchpad?: Scratchpad;
}

/** JSON from a file that anyone may have written. */
export type Loose = Readonly<Record<string, unknown>>;

/** The value if it is an object, or undefined. */
export function objectOf(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
}

/** The value if it is a text, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** One line of a session file. U+2028 and U+2029 end a line for readers in JavaScript, though not in JSON. */
export function lineOf(record: object): string {
  return `${JSON.stringify(record).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}
