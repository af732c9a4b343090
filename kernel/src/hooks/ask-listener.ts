import {isDeepStrictEqual} from 'node:util';
import {isOurs} from '../catalog/catalog-plugin.js';
import type {Owned} from '../contract/manifest.js';
import type {Core} from './core.js';
import {Deadline, DeadlineError} from './deadline.js';
import {toJson} from './to-json.js';
import type {DispatchOptions} from './dispatch.js';
import {messageOf} from '../contract/error.js';
import type {Hook, Listener, ListenerContext} from '../contract/hook.js';
import type {ListenerEntry} from '../contract/manifest.js';
import {findViolations} from '../catalog/schema.js';
import {decisions, type Verdict} from '../contract/tool-call.js';
import type {Span} from '../contract/span.js';

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

interface Question {
  readonly hook: Hook;
  readonly entry: Owned<ListenerEntry>;
  readonly value: unknown;
  /** The wrapped act. */
  readonly next?: (() => Promise<unknown>) | undefined;
  /** A race that another listener has won. */
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
export async function askListener(core: Core, question: Question): Promise<Answered | Failed> {
  const {load, trace, border, catalog} = core;
  const {hook, entry, value, over, options} = question;
  const {plugin} = entry;
  const signal = over && options.signal ? AbortSignal.any([over, options.signal]) : (over ?? options.signal);
  const deadline = new Deadline(`${plugin} at ${hook.name}`, limitOf(hook, entry, isOurs(catalog, plugin)), signal);
  const started = performance.now();
  const record = (rest: Pick<Span, 'outcome' | 'answer' | 'error' | 'changed'>): void =>
    trace.record({call: options.callId, hook: hook.name, plugin, ms: performance.now() - started, ...rest});
  try {
    const carried = {...question, value: border.value(value)};
    const given = await deadline.race(async () =>
      run((await load(entry, 'listener', options.lookup)) as Listener, carried, deadline),
    );
    const answer = border.value(toJson(given, 'the answer'));
    const fault = await findFault(hook, answer);
    if (fault) {
      record({outcome: 'invalid', answer, error: fault});
      return {plugin, ok: false, error: new Error(fault)};
    }
    record({outcome: 'answered', ...traceOf(hook, value, answer)});
    return {plugin, ok: true, answer};
  } catch (error) {
    signal?.throwIfAborted();
    record({outcome: error instanceof DeadlineError ? 'late' : 'failed', error: messageOf(error)});
    return {plugin, ok: false, error};
  }
}

/** A listener may ask for less time than its hook gives, and one of the product for more. */
function limitOf({timeoutMs: most = DEFAULT_TIMEOUT_MS}: Hook, entry: ListenerEntry, isProduct: boolean): number {
  const {timeoutMs: own = most} = entry;
  return isProduct || most === 0 ? own : Math.min(own, most);
}

function run(listener: Listener, {entry, value, next, options}: Question, deadline: Deadline): unknown {
  return (listener.run as (payload: unknown, context: ListenerContext) => unknown)(value, {
    get signal() {
      return deadline.signal;
    },
    session: options.session,
    service: (name) => options.lookup(name, entry.plugin),
    next: (next && once(next, deadline)) as undefined,
  });
}

/** Values on their way through transforms and wraps can be large, and are seen where they end up; names are not. */
function traceOf({kind}: Hook, value: unknown, answer: unknown): Pick<Span, 'answer' | 'changed'> {
  const isNames = Array.isArray(answer) && answer.every((one) => typeof one === 'string');
  if (kind === 'transform')
    return {
      changed: !isDeepStrictEqual(answer, (value as {readonly value: unknown}).value),
      ...(isNames ? {answer} : {}),
    };
  return ['gate', 'first', 'race'].includes(kind) ? {answer} : {};
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

/** What is wrong with an answer, as a sentence. No answer is no opinion, but where the next value is due. */
async function findFault(hook: Hook, answer: unknown): Promise<string | undefined> {
  const {kind} = hook;
  if (kind === 'gate') return findVerdictFault(answer);
  if (kind === 'collect' && !Array.isArray(answer)) return 'it did not answer a list';
  if (kind === 'transform' && answer === undefined) return 'it answered nothing where the next value is due';
  if (!hook.answer || (answer === undefined && ['first', 'race'].includes(kind))) return undefined;
  for (const item of kind === 'collect' ? (answer as unknown[]) : [answer]) {
    const [fault] = await findViolations(hook.answer, item, 'the answer');
    if (fault) return fault;
  }
  return undefined;
}

function findVerdictFault(answer: unknown): string | undefined {
  if (answer === undefined) return undefined;
  const {decision, reason} = (answer ?? {}) as Partial<Verdict>;
  if (decision && decisions.includes(decision) && typeof reason === 'string') return undefined;
  return `it answered ${JSON.stringify(answer)} where a decision and a reason are due`;
}
