import {randomUUID} from 'node:crypto';
import type {CallToolResult, ElicitRequestFormParams, ElicitResult, InputRequiredResult, ServerContext} from '#sdk';
import type {Ask} from './live-person.js';
import type {Sdk} from './setup.js';

const LONGEST_PAUSE_MS = 10 * 60_000;
const MOST_PAUSED = 100;
const INVALID_PARAMS = -32602;

type Act = (ask: Ask, signal: AbortSignal) => Promise<CallToolResult>;
type Step = {readonly result: CallToolResult} | {readonly request: ElicitRequestFormParams};

/** A call that stops with a question and continues with the answer, in another request. */
class PausableCall {
  readonly #end = new AbortController();
  readonly #result: Promise<Step>;
  #asked: Promise<Step>;
  #tellAsked: (step: Step) => void = () => undefined;
  #answer: ((answer: ElicitResult | undefined) => void) | undefined;

  constructor(act: Act) {
    this.#asked = this.#nextQuestion();
    this.#result = act((request) => this.#ask(request), this.#end.signal).then((result) => ({result}));
    // A call that fails while it is paused is reported when it continues.
    this.#result.catch(() => undefined);
  }

  /** Until the call ends or asks. */
  async step(signal: AbortSignal): Promise<Step> {
    const abort = (): void => this.abort(signal.reason);
    signal.addEventListener('abort', abort, {once: true});
    try {
      return await Promise.race([this.#result, this.#asked]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  answer(answer: ElicitResult | undefined): void {
    this.#asked = this.#nextQuestion();
    this.#answer?.(answer);
  }

  abort(reason: unknown): void {
    this.#end.abort(reason);
    this.#answer?.(undefined);
  }

  #nextQuestion(): Promise<Step> {
    return new Promise((resolve) => {
      this.#tellAsked = resolve;
    });
  }

  #ask(request: ElicitRequestFormParams): Promise<ElicitResult | undefined> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#tellAsked({request});
    });
  }
}

/** Calls that wait for an answer in the stateless protocol, where a server cannot send requests. */
export class PausedCalls {
  readonly #paused = new Map<string, {readonly call: PausableCall; readonly timer: NodeJS.Timeout}>();

  constructor(private readonly sdk: Sdk) {}

  /** Starts a call, or continues the one that the client names. */
  async run(act: Act, {mcpReq}: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    const state = mcpReq.requestState();
    const call = state === undefined ? new PausableCall(act) : this.#take(state);
    if (state !== undefined) call.answer(readAnswer(mcpReq.inputResponses?.['answer']));
    const step = await call.step(mcpReq.signal);
    if ('result' in step) return step.result;
    const {inputRequired} = this.sdk;
    return inputRequired({
      inputRequests: {answer: inputRequired.elicit(step.request)},
      requestState: this.#pause(call),
    });
  }

  close(): void {
    for (const {call, timer} of this.#paused.values()) {
      clearTimeout(timer);
      call.abort(new Error('The server ends.'));
    }
    this.#paused.clear();
  }

  #pause(call: PausableCall): string {
    if (this.#paused.size >= MOST_PAUSED) this.#drop([...this.#paused.keys()][0] ?? '');
    const id = randomUUID();
    const timer = setTimeout(() => this.#drop(id), LONGEST_PAUSE_MS).unref();
    this.#paused.set(id, {call, timer});
    return id;
  }

  #take(state: unknown): PausableCall {
    const paused = this.#paused.get(String(state));
    if (!paused) throw new this.sdk.ProtocolError(INVALID_PARAMS, 'No call waits under this requestState.');
    this.#paused.delete(String(state));
    clearTimeout(paused.timer);
    return paused.call;
  }

  #drop(id: string): void {
    this.#take(id).abort(new Error('No answer came in time.'));
  }
}

function readAnswer(value: unknown): ElicitResult {
  const {action, content} = (value ?? {}) as {readonly action?: unknown; readonly content?: ElicitResult['content']};
  return action === 'accept' ? {action, ...(content ? {content} : {})} : {action: 'cancel'};
}
