import {KERNEL, type Catalog, type Owned} from './catalog.js';
import {Deadline, DeadlineError} from './deadline.js';
import {KernelError, messageOf} from './error.js';
import {compileFilter, type Subject} from './filter.js';
import type {Hook, HookKind, Listener, ListenerContext} from './hook.js';
import type {Load} from './load.js';
import type {ListenerEntry} from './manifest.js';
import {findViolations} from './schema.js';
import type {ServiceLookup} from './scope.js';
import type {SessionInfo} from './session.js';
import type {Verdict} from './tool.js';
import type {Span, Trace} from './trace.js';

const DEFAULT_TIMEOUT_MS = 5000;
const strictness = ['allow', 'ask', 'deny'] as const;

export interface DispatchOptions {
  readonly session: SessionInfo;
  readonly lookup: ServiceLookup;
  readonly signal?: AbortSignal | undefined;
  /** What filters are held against. */
  readonly subject?: Subject;
  readonly callId?: string;
  /** The innermost act of a wrap. */
  readonly inner?: () => Promise<unknown>;
}

/** Gate answers carry who decided. */
export interface Judgement extends Verdict {
  readonly by: string | undefined;
}

export type Dispatch = (hook: string, payload: unknown, options: DispatchOptions) => Promise<unknown>;

interface Parts {
  readonly catalog: Catalog;
  readonly trace: Trace;
  warn(sentence: string): void;
  readonly load: Load;
}

type Answered = {readonly plugin: string} & ({readonly ok: true; readonly answer: unknown} | {readonly ok: false; readonly error: unknown});
type Ask = (entry: Owned<ListenerEntry>, payload: unknown, next?: () => Promise<unknown>) => Promise<Answered>;

interface Round {
  readonly hook: Hook;
  readonly listeners: readonly Owned<ListenerEntry>[];
  readonly payload: unknown;
  readonly inner: () => Promise<unknown>;
  readonly ask: Ask;
  /** Reports a failure that the act goes on without. */
  report(failed: Answered): void;
}

/** What each kind does with its listeners. The whole meaning of a hook is here and in its definition. */
const kinds: Readonly<Record<HookKind, (round: Round) => Promise<unknown>>> = {
  async notify({listeners, payload, ask, report}) {
    for (const answered of await Promise.all(listeners.map((one) => ask(one, payload)))) if (!answered.ok) report(answered);
  },
  async collect({listeners, payload, ask, report}) {
    const all = await Promise.all(listeners.map((one) => ask(one, payload)));
    for (const answered of all) if (!answered.ok) report(answered);
    return all.flatMap((answered) => (answered.ok ? answered.answer : []));
  },
  async transform({hook, listeners, payload, ask, report}) {
    const given = payload as {readonly value: unknown};
    let {value} = given;
    for (const one of listeners) {
      const answered = await ask(one, {...given, value});
      if (answered.ok) value = freeze(answered.answer);
      else if (one.critical) throw stopped(hook, answered);
      else report(answered);
    }
    return value;
  },
  async first({hook, listeners, payload, ask, report}) {
    for (const one of listeners) {
      const answered = await ask(one, payload);
      if (!answered.ok) report(answered);
      else if (answered.answer !== undefined) return answered.answer;
    }
    return hook.unanswered;
  },
  async gate({hook, listeners, payload, ask}) {
    const all = await Promise.all(listeners.map((one) => ask(one, payload)));
    const verdicts = all.map((answered): Judgement | undefined => {
      const {plugin: by} = answered;
      if (!answered.ok) return {decision: 'deny', reason: `${by} could not judge this call: ${messageOf(answered.error)}`, by};
      return answered.answer === undefined ? undefined : {...(answered.answer as Verdict), by};
    });
    const strictest = verdicts.reduce((a, b) => (!a || (b && rankOf(b) > rankOf(a)) ? b : a), undefined);
    return strictest ?? {...(hook.unanswered as Verdict), by: undefined};
  },
  async wrap({hook, listeners, payload, inner, ask}) {
    const [outer, ...rest] = listeners;
    if (!outer) return inner();
    const answered = await ask(outer, payload, () => kinds.wrap({hook, listeners: rest, payload, inner, ask, report: () => undefined}));
    if (answered.ok) return answered.answer;
    throw passedThrough.has(answered.error as object) ? answered.error : stopped(hook, answered);
  },
};

/** What a wrapped act threw itself; its wrappers are not blamed for it. */
const passedThrough = new WeakSet<object>();

function rankOf({decision}: Verdict): number {
  return strictness.indexOf(decision);
}

function stopped({name}: Hook, answered: Answered): KernelError {
  const cause = answered.ok ? undefined : answered.error;
  return new KernelError('HOOK_FAILED', `${answered.plugin} failed at ${name}: ${messageOf(cause)}`, {cause, hint: `Disable or update ${answered.plugin}, then try again.`});
}

/** Makes the only dispatcher. Listeners are imported when a payload first passes their filter. */
export function createDispatch(kernel: Parts): Dispatch {
  const filters = new Map([...kernel.catalog.listeners].flatMap(([, entries]) => entries.map((entry) => [entry, compileFilter(entry.filter)] as const)));
  return async (name, payload, options) => {
    const hook = kernel.catalog.hooks.get(name);
    if (!hook) throw new KernelError('HOOK_NOT_OWNED', `No plugin owns the moment ${name}.`);
    const inner = options.inner ?? (() => Promise.resolve(undefined));
    const all = kernel.catalog.listeners.get(name) ?? [];
    const subject = {mode: options.session.mode, ...options.subject};
    const listeners = all.filter((entry) => filters.get(entry)?.(subject));
    const ask: Ask = (entry, value, next) => askOne(kernel, hook, entry, {value: freeze(value), next, options});
    const report = ({plugin, ...rest}: Answered): void =>
      kernel.warn(`${plugin} failed at ${name} and was left out: ${messageOf('error' in rest ? rest.error : undefined)}`);
    return kinds[hook.kind]({hook, listeners, payload, inner, ask, report});
  };
}

interface Question {
  readonly value: unknown;
  readonly next: (() => Promise<unknown>) | undefined;
  readonly options: DispatchOptions;
}

async function askOne(kernel: Parts, hook: Hook, entry: Owned<ListenerEntry>, {value, next, options}: Question): Promise<Answered> {
  const {plugin} = entry;
  const limit = hook.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ms = entry.timeoutMs !== undefined && (limit === 0 || entry.timeoutMs < limit) ? entry.timeoutMs : limit;
  const deadline = new Deadline(`${plugin} at ${hook.name}`, ms, options.signal);
  const started = performance.now();
  const record = (rest: Pick<Span, 'outcome' | 'answer' | 'error'>): void =>
    kernel.trace.record({call: options.callId, hook: hook.name, plugin, ms: performance.now() - started, ...rest});
  try {
    const answer = await deadline.race(async () => {
      const listener = (await kernel.load(entry, 'listener')) as Listener;
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
    record({outcome: 'answered', answer: hook.kind === 'wrap' ? undefined : answer});
    return {plugin, ok: true, answer};
  } catch (error) {
    options.signal?.throwIfAborted();
    record({outcome: error instanceof DeadlineError ? 'late' : 'failed', error: messageOf(error)});
    return {plugin, ok: false, error};
  }
}

function once(next: () => Promise<unknown>, deadline: Deadline): () => Promise<unknown> {
  let called = false;
  return async () => {
    if (called) throw new Error('It called next() twice.');
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
}

async function findFault(hook: Hook, answer: unknown): Promise<string | undefined> {
  if (hook.kind === 'gate' && answer !== undefined) {
    const {decision, reason} = (answer ?? {}) as Partial<Verdict>;
    return decision && strictness.includes(decision) && typeof reason === 'string' ? undefined : `it answered ${JSON.stringify(answer)} where a decision and a reason are due`;
  }
  if (hook.kind === 'collect' && !Array.isArray(answer)) return 'it did not answer a list';
  if (hook.kind === 'transform' && answer === undefined) return 'it answered nothing where the next value is due';
  if (!hook.answer || hook.kind === 'gate' || hook.kind === 'wrap' || (hook.kind === 'first' && answer === undefined)) return undefined;
  const items = hook.kind === 'collect' ? (answer as unknown[]) : [answer];
  for (const item of items) {
    const [fault] = await findViolations(hook.answer, item, 'the answer');
    if (fault) return fault;
  }
  return undefined;
}

/** Makes plain data unchangeable, so that a listener that fails half-way has changed nothing. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && !Array.isArray(value) && prototype !== null) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
}

/** The moments that `plugin` may announce. */
export function ownsHook(catalog: Catalog, hook: string, plugin: string): boolean {
  return plugin === KERNEL || catalog.hooks.get(hook)?.plugin === plugin;
}
