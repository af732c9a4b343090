import type {TestedMessage, TestedRequest, TestedTool, TestedUsage} from './model-under-test.js';

/** One piece of what a scripted server says; each travels on its own. */
export type ScriptedPiece =
  | {readonly kind: 'text'; readonly text: string; readonly signature?: string}
  | {readonly kind: 'thought'; readonly text: string; readonly signature?: string}
  /**
   * Without an id the server gives one if its kind of API does. `raw`: what stands in the place of the arguments, JSON
   * or not, for APIs that send them as text.
   */
  | {
      readonly kind: 'call';
      readonly id?: string;
      readonly name: string;
      readonly input?: unknown;
      readonly signature?: string;
      readonly raw?: string;
    }
  /** Sent as it is, in the place of what the API would say. */
  | {readonly kind: 'garbage'; readonly text: string};

/** A request that is refused, said as the API says it. */
export interface ScriptedRefusal {
  readonly status: number;
  readonly message?: string;
  /** How long to wait, said as the API says it. */
  readonly delayMs?: number;
  readonly quota?: 'minute' | 'day';
  /** The body, whatever the API would say. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a scripted server does with one request, whichever API it speaks. JSON. */
export interface ScriptedAnswer {
  readonly pieces?: readonly ScriptedPiece[];
  /** Counts; those not given are 0. Without it the server says none. */
  readonly usage?: Partial<TestedUsage>;
  /**
   * Why it ends; `stop` unless stated. `blocked`: for safety; `prompt-blocked`: the prompt was; `none`: the stream just
   * stops.
   */
  readonly end?: 'stop' | 'length' | 'malformed' | 'blocked' | 'prompt-blocked' | 'other' | 'none';
  readonly refusal?: ScriptedRefusal;
  /** The name under which the model says it answers. */
  readonly model?: string;
  /**
   * The answer breaks off, after so many pieces or bytes: the connection is reset, is closed before the length that was
   * promised, or ends as if all were said.
   */
  readonly cut?: {readonly afterPieces?: number; readonly afterBytes?: number; readonly by: 'reset' | 'length' | 'end'};
  /** Nothing more is sent until it is released, or whoever asks has left. `headers`: not even those. */
  readonly stall?: {readonly afterPieces: number} | 'headers';
  /** Sends so many bytes at a time, instead of one piece. */
  readonly chunkBytes?: number;
  /** Waits so long between two of them. */
  readonly pauseMs?: number;
}

/** Answers in order, or what makes them. */
export type Script =
  readonly ScriptedAnswer[] | ((request: SeenRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** A request as a scripted server understood it. */
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
  /** What is wrong with it; the answer was then 400. */
  readonly fault?: string;
  /** `answered`: all was sent; `left`: whoever asked closed the connection before. */
  readonly end: Promise<'answered' | 'left'>;
}
