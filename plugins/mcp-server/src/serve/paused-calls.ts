import {randomUUID} from 'node:crypto';
import type {InputRequiredResult, ServerContext} from '#sdk';
import {PausableCall, type Act} from './pausable-call.js';
import type {Requests} from './reach.js';
import type {Sdk} from './setup.js';

const LONGEST_PAUSE_MS = 10 * 60_000;
const MOST_PAUSED = 100;
const INVALID_PARAMS = -32602;

interface Paused {
  readonly method: string;
  readonly call: PausableCall<unknown>;
  readonly timer: NodeJS.Timeout;
}

/** What to do with a call that takes long: give a result for it meanwhile. */
export interface Late<T> {
  readonly afterMs: number;
  /** Undefined when the client has to wait after all. */
  take(call: PausableCall<T>): T | undefined;
}

interface Run<T> {
  readonly act: Act<T>;
  readonly context: ServerContext;
  readonly late?: Late<T> | undefined;
}

/** Calls that wait for an answer in the stateless protocol, where a server cannot send requests. */
export class PausedCalls {
  readonly #paused = new Map<string, Paused>();

  constructor(private readonly sdk: Sdk) {}

  /** Starts a call, or continues the one that the client names. */
  async run<T>({act, context: {mcpReq}, late}: Run<T>): Promise<T | InputRequiredResult> {
    const state = mcpReq.requestState();
    // Only a call of this method is taken, which gives such results.
    const call = state === undefined ? new PausableCall(act) : (this.#take(state, mcpReq.method) as PausableCall<T>);
    if (state !== undefined) call.answer(mcpReq.inputResponses ?? {});
    const step = await call.step(mcpReq.signal, late?.afterMs);
    if ('result' in step) return step.result;
    if ('requests' in step) return this.#askFor(step.requests, mcpReq.method, call);
    const taken = late?.take(call);
    if (taken !== undefined) return taken;
    const rest = await call.step(mcpReq.signal);
    if ('requests' in rest) return this.#askFor(rest.requests, mcpReq.method, call);
    if ('result' in rest) return rest.result;
    throw new Error('A step without a limit is never late.');
  }

  close(): void {
    for (const {call, timer} of this.#paused.values()) {
      clearTimeout(timer);
      call.abort(new Error('The server ends.'));
    }
    this.#paused.clear();
  }

  #askFor(requests: Requests, method: string, call: PausableCall<unknown>): InputRequiredResult {
    return this.sdk.inputRequired({
      inputRequests: toInputRequests(requests),
      requestState: this.#pause(method, call),
    });
  }

  #pause(method: string, call: PausableCall<unknown>): string {
    if (this.#paused.size >= MOST_PAUSED) this.#drop([...this.#paused.keys()][0] ?? '');
    const id = randomUUID();
    const timer = setTimeout(() => this.#drop(id), LONGEST_PAUSE_MS).unref();
    this.#paused.set(id, {method, call, timer});
    return id;
  }

  #take(state: unknown, method: string): PausableCall<unknown> {
    const paused = this.#paused.get(String(state));
    if (!paused || paused.method !== method)
      throw new this.sdk.ProtocolError(INVALID_PARAMS, 'No call waits under this requestState.');
    this.#paused.delete(String(state));
    clearTimeout(paused.timer);
    return paused.call;
  }

  #drop(id: string): void {
    const paused = this.#paused.get(id);
    this.#paused.delete(id);
    clearTimeout(paused?.timer);
    paused?.call.abort(new Error('No answer came in time.'));
  }
}

/** In the words of the stateless protocol, where every request has params. */
export function toInputRequests(requests: Requests): Exclude<InputRequiredResult['inputRequests'], undefined> {
  const entries = Object.entries(requests).map(([name, request]) => [name, {params: {}, ...request}] as const);
  // A tool writes the params; the client checks them.
  return Object.fromEntries(entries) as Exclude<InputRequiredResult['inputRequests'], undefined>;
}
