import {isDeepStrictEqual} from 'node:util';
import type {Owned} from '../contract/manifest.js';
import {Deadline, DeadlineError} from './deadline.js';
import type {DispatchOptions} from './dispatch.js';
import {messageOf} from '../contract/error.js';
import type {Hook, Listener, ListenerContext} from '../contract/hook.js';
import type {Load} from './load.js';
import type {ListenerEntry} from '../contract/manifest.js';
import {findViolations} from '../catalog/schema.js';
import {decisions, type Verdict} from '../contract/tool.js';
import type {Span} from '../contract/span.js';
import type {Trace} from './trace.js';

const DEFAULT_TIMEOUT_MS = 5000;

export interface Answered {
  readonly plugin: string;
  readonly ok: true;
  readonly answer: unknown;
}

export interface Failed {
  readonly plugin: string;
  readonly ok: false;
  readonly error: unknown;
}

interface Parts {
  readonly trace: Trace;
  readonly load: Load;
}

interface Question {
  readonly hook: Hook;
  readonly entry: Owned<ListenerEntry>;
  readonly value: unknown;
  /** The wrapped act. */
  readonly next?: (() => Promise<unknown>) | undefined;
  /** A race that somebody else has won. */
  readonly over?: AbortSignal;
  readonly options: DispatchOptions;
}

/** What wrapped acts threw themselves; their wrappers are not blamed for it. */
const passedThrough = new WeakSet<object>();

/** Whether an error came out of a wrapped act and not from who wrapped it. */
export function cameThrough(error: unknown): boolean {
  return error instanceof Error && passedThrough.has(error);
}

/**
 * Asks one listener within its deadline and records what came of it. Throws only the reason of the asker's signal, or
 * that a race is over.
 */
export async function askListener(
  {load, trace}: Parts,
  {hook, entry, value, next, over, options}: Question,
): Promise<Answered | Failed> {
  const {plugin} = entry;
  const signal = over && options.signal ? AbortSignal.any([over, options.signal]) : (over ?? options.signal);
  const limit = hook.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ms = entry.timeoutMs !== undefined && (limit === 0 || entry.timeoutMs < limit) ? entry.timeoutMs : limit;
  const deadline = new Deadline(`${plugin} at ${hook.name}`, ms, signal);
  const started = performance.now();
  const record = (rest: Pick<Span, 'outcome' | 'answer' | 'error' | 'changed'>): void =>
    trace.record({call: options.callId, hook: hook.name, plugin, ms: performance.now() - started, ...rest});
  try {
    const answer = await deadline.race(async () => {
      const listener = (await load(entry, 'listener')) as Listener;
      return (listener.run as (payload: unknown, context: ListenerContext) => unknown)(value, {
        get signal() {
          return deadline.signal;
        },
        session: options.session,
        service: (name) => options.lookup(name, plugin),
        next: (next && once(next, deadline)) as undefined,
      });
    });
    const fault = await findFault(hook, answer);
    if (fault) {
      record({outcome: 'invalid', answer, error: fault});
      return {plugin, ok: false, error: new Error(fault)};
    }
    // Values on their way through transforms and wraps can be large, and are seen where they end up.
    if (hook.kind === 'transform')
      record({outcome: 'answered', changed: !isDeepStrictEqual(answer, (value as {readonly value: unknown}).value)});
    else record({outcome: 'answered', answer: ['gate', 'first', 'race'].includes(hook.kind) ? answer : undefined});
    return {plugin, ok: true, answer};
  } catch (error) {
    signal?.throwIfAborted();
    record({outcome: error instanceof DeadlineError ? 'late' : 'failed', error: messageOf(error)});
    return {plugin, ok: false, error};
  }
}

function once(next: () => Promise<unknown>, deadline: Deadline): () => Promise<unknown> {
  let called = false;
  const attempt = async (): Promise<unknown> => {
    if (called) throw new Error('It called next() twice.');
    if (deadline.hasEnded) throw new Error('It called next() after its time was over.');
    called = true;
    deadline.pause();
    try {
      return await next();
    } catch (error) {
      if (error instanceof Error) passedThrough.add(error);
      throw error;
    } finally {
      deadline.resume();
    }
  };
  return () => {
    const act = attempt();
    // A listener that does not wait for the act must not end the program when it fails.
    act.catch(() => undefined);
    return act;
  };
}

async function findFault(hook: Hook, answer: unknown): Promise<string | undefined> {
  if (hook.kind === 'gate' && answer !== undefined) {
    const {decision, reason} = (answer ?? {}) as Partial<Verdict>;
    return decision && decisions.includes(decision) && typeof reason === 'string'
      ? undefined
      : `it answered ${JSON.stringify(answer)} where a decision and a reason are due`;
  }
  if (hook.kind === 'collect' && !Array.isArray(answer)) return 'it did not answer a list';
  if (hook.kind === 'transform' && answer === undefined) return 'it answered nothing where the next value is due';
  if (!hook.answer || hook.kind === 'gate' || (['first', 'race'].includes(hook.kind) && answer === undefined))
    return undefined;
  const items = hook.kind === 'collect' ? (answer as unknown[]) : [answer];
  for (const item of items) {
    const [fault] = await findViolations(hook.answer, item, 'the answer');
    if (fault) return fault;
  }
  return undefined;
}
