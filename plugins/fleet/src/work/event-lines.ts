/** A call that was refused, as a run reports it. */
export interface RefusedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly reason: string;
}

/** What a fleet reads in the last line of a run. */
export interface RunOutcome {
  readonly status: 'success' | 'error';
  readonly outcome: string;
  readonly structured?: unknown;
  readonly cost?: number;
  readonly tokens: number;
  readonly refused: readonly RefusedCall[];
  readonly error?: {readonly code: string; readonly message: string; readonly exit: number};
}

/** What a run has said so far. */
export interface RunEvents {
  /** What it does now, in a few words. */
  readonly doing?: string;
  readonly answer: string;
  readonly calls: number;
  readonly outcome?: RunOutcome;
}

interface RawEvent {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string;
  readonly tool_name?: string;
  readonly status?: 'success' | 'error';
  readonly outcome?: string;
  readonly structured?: unknown;
  readonly cost?: number;
  readonly usage?: {readonly total_tokens?: number};
  readonly refused?: readonly {readonly tool_name: string; readonly parameters: unknown; readonly reason: string}[];
  readonly error?: {readonly code: string; readonly message: string; readonly exit: number};
}

/** An answer that is longer is cut. */
const LONGEST = 64 * 1024;

/** Reads the lines of `-o stream-json` as they come. */
export class EventLines {
  #rest = '';
  #decoder = new TextDecoder();
  events: RunEvents = {answer: '', calls: 0};

  /** Whether something is known that was not before. */
  add(chunk: Uint8Array): boolean {
    const lines = (this.#rest + this.#decoder.decode(chunk, {stream: true})).split('\n');
    this.#rest = lines.pop() ?? '';
    lines.forEach((line) => this.#read(line));
    return lines.length > 0;
  }

  end(): RunEvents {
    this.#read(this.#rest);
    this.#rest = '';
    return this.events;
  }

  #read(line: string): void {
    const event = parse(line);
    if (event === undefined) return;
    const {events} = this;
    if (event.type === 'message' && event.role === 'assistant') this.events = {...events, ...answering(events, event)};
    if (event.type === 'tool_use')
      this.events = {...events, answer: '', calls: events.calls + 1, doing: event.tool_name ?? 'a tool'};
    if (event.type === 'result') this.events = {...events, outcome: outcomeOf(event)};
  }
}

function answering({answer}: RunEvents, {content = ''}: RawEvent): Partial<RunEvents> {
  return {answer: (answer + content).slice(0, LONGEST), doing: 'answers'};
}

function outcomeOf({
  status = 'error',
  outcome = 'failed',
  structured,
  cost,
  usage,
  refused,
  error,
}: RawEvent): RunOutcome {
  return {
    ...{status, outcome, tokens: usage?.total_tokens ?? 0},
    ...(structured === undefined ? {} : {structured}),
    ...(cost === undefined ? {} : {cost}),
    refused: (refused ?? []).map(({tool_name: tool, parameters: input, reason}) => ({tool, input, reason})),
    ...(error === undefined ? {} : {error: {code: error.code, message: error.message, exit: error.exit}}),
  };
}

function parse(line: string): RawEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as RawEvent;
  } catch {
    // A line that was cut off with its process.
    return undefined;
  }
}
