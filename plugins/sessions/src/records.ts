import type {TokenUsage} from '@gemini-kernel/plugin-agent/contract';
import type {Part} from '@gemini-kernel/kernel';

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

/** What became of a call, as the session file keeps it with the message that made it. */
export interface CallLine {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: readonly RecordPart[];
  readonly status: 'success' | 'error' | 'cancelled';
  readonly timestamp: string;
  readonly resultDisplay?: string;
}

/** What an entry says and the shared format has no place for; the other program ignores it. */
export interface Extra {
  readonly origin?: 'person' | 'tools' | 'agent' | 'none';
  readonly role?: 'user' | 'model';
  readonly severity?: 'none';
  /**
   * By index of the piece: an input that is no object (absent: none at all), an output that is not one text and then
   * data.
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

/** A message line of a session file, as this product writes it. */
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

/** The first line of a session file, and what later lines set of it. */
export interface Metadata {
  readonly sessionId: string;
  readonly projectHash: string;
  readonly startTime: string;
  readonly lastUpdated: string;
  readonly kind: 'main' | 'subagent';
  readonly directories?: readonly string[];
  readonly summary?: string;
}

/** JSON from a file that anybody may have written. */
export type Loose = Readonly<Record<string, unknown>>;

/** The object a value is, or undefined. */
export function objectOf(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
}

/** The text a value is, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** One line of a session file. The two separators end a line for readers of JavaScript, though not for JSON. */
export function lineOf(record: object): string {
  return `${JSON.stringify(record).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}
