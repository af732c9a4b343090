import type {TestedMessage, TestedRequest, TestedTool, TestedUsage} from './model-under-test.js';

/** One piece of a scripted answer; each is sent separately. */
export type ScriptedPiece =
  | {readonly kind: 'text'; readonly text: string; readonly signature?: string}
  | {readonly kind: 'thought'; readonly text: string; readonly signature?: string}
  /**
   * Without an id, the server generates one if its kind of API does. `raw`: replaces the arguments, JSON or not, for
   * APIs that send them as text.
   */
  | {
      readonly kind: 'call';
      readonly id?: string;
      readonly name: string;
      readonly input?: unknown;
      readonly signature?: string;
      readonly raw?: string;
    }
  /** Sent as it is, instead of the API's format. */
  | {readonly kind: 'garbage'; readonly text: string};

/** A refused request, in the API's format. */
export interface ScriptedRefusal {
  readonly status: number;
  readonly message?: string;
  /** The delay to wait, in the API's format. */
  readonly delayMs?: number;
  readonly quota?: 'minute' | 'day';
  /** The body, instead of the API's own. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a scripted server does with one request, for any API. JSON. */
export interface ScriptedAnswer {
  readonly pieces?: readonly ScriptedPiece[];
  /** Token counts; missing ones are 0. Without it, the server sends none. */
  readonly usage?: Partial<TestedUsage>;
  /**
   * Why it ends; `stop` by default. `blocked`: for safety; `prompt-blocked`: the prompt was blocked; `none`: the stream
   * just stops.
   */
  readonly end?: 'stop' | 'length' | 'malformed' | 'blocked' | 'prompt-blocked' | 'other' | 'none';
  readonly refusal?: ScriptedRefusal;
  /** The name that the model reports. */
  readonly model?: string;
  /**
   * The answer breaks off after so many pieces or bytes: the connection is reset, is closed before the announced
   * length, or ends as if complete.
   */
  readonly cut?: {readonly afterPieces?: number; readonly afterBytes?: number; readonly by: 'reset' | 'length' | 'end'};
  /** Sends nothing more until released, or until the client has left. `headers`: not even headers. */
  readonly stall?: {readonly afterPieces: number} | 'headers';
  /** Sends so many bytes at a time, instead of one piece. */
  readonly chunkBytes?: number;
  /** The delay between two of them. */
  readonly pauseMs?: number;
}

/** Answers in order, or what makes them. */
export type Script =
  readonly ScriptedAnswer[] | ((request: SeenRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** A request as the scripted server parsed it. */
export interface SeenRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly TestedMessage[];
  readonly tools: readonly TestedTool[];
  readonly config: TestedRequest['config'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was sent. */
  readonly body: unknown;
  /** The fault of the request; the answer was then 400. */
  readonly fault?: string;
  /** `answered`: everything was sent; `left`: the client closed the connection first. */
  readonly end: Promise<'answered' | 'left'>;
}
