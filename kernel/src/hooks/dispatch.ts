import type {Catalog} from '../catalog/catalog.js';
import {isOurs} from '../catalog/catalog-plugin.js';
import {isKernelError, KernelError, messageOf} from '../contract/error.js';
import type {Tell} from '../contract/notice.js';
import type {FoldOf, Hook, HookKind, Judgement, PayloadOf} from '../contract/hook.js';
import type {ListenerEntry, Owned} from '../contract/manifest.js';
import type {MomentName} from '../contract/registry.js';
import type {Environment} from '../contract/environment.js';
import type {ServiceLookup} from '../contract/service.js';
import type {SessionInfo} from '../contract/session.js';
import {decisions, type Verdict} from '../contract/tool-call.js';
import {askListener, cameThrough, type Answered, type Failed} from './ask-listener.js';
import type {Core} from './core.js';
import {compileFilter, type Subject, type Surroundings} from './filter.js';
import {advise, type Hints} from './load.js';
import {toJson} from './to-json.js';

/** Where something is announced: the session, its services and its surroundings. */
export interface Stage {
  readonly session: SessionInfo;
  readonly lookup: ServiceLookup;
  readonly environment: Surroundings & Pick<Environment, 'home'>;
  /** Tells the person in the name of the kernel. */
  readonly tell: Tell;
}

export interface DispatchOptions extends Stage {
  readonly signal?: AbortSignal | undefined;
  /** What filters are held against. */
  readonly subject?: Subject;
  readonly callId?: string;
  /** The innermost act of a wrap. */
  readonly inner?: (() => Promise<unknown>) | undefined;
}

/** Announces a moment and folds the answers of its listeners. */
export type Dispatch = <N extends MomentName>(
  hook: N,
  payload: PayloadOf<N>,
  options: DispatchOptions,
) => Promise<FoldOf<N>>;

interface Parts extends Core {
  readonly hints: Hints;
}

type Ask = (
  entry: Owned<ListenerEntry>,
  payload: unknown,
  rest?: {readonly next?: () => Promise<unknown>; readonly over?: AbortSignal},
) => Promise<Answered | Failed>;

interface Round {
  readonly hook: Hook;
  readonly listeners: readonly Owned<ListenerEntry>[];
  readonly payload: unknown;
  readonly inner: () => Promise<unknown>;
  readonly ask: Ask;
  /** Whether a plugin came with the product; what a person installed may tighten, and never loosen. */
  isTrusted(plugin: string): boolean;
  /** Reports a failure after which the act continues. */
  report(failed: Failed): void;
  /** The error that a failure ends the act with. */
  stop(failed: Failed): KernelError;
}

/** What each kind does with its listeners. The whole meaning of a hook is here and in its definition. */
const kinds: Readonly<Record<HookKind, (round: Round) => Promise<unknown>>> = {
  async notify({listeners, payload, ask, report}) {
    for (const answered of await Promise.all(listeners.map((one) => ask(one, payload))))
      if (!answered.ok) report(answered);
  },
  async collect({listeners, payload, ask, report}) {
    const all = await Promise.all(listeners.map((one) => ask(one, payload)));
    for (const answered of all) if (!answered.ok) report(answered);
    return all.flatMap((answered) => (answered.ok ? answered.answer : []));
  },
  async transform({listeners, payload, ask, report, stop}) {
    const given = payload as {readonly value: unknown};
    let {value} = given;
    for (const one of listeners) {
      const answered = await ask(one, Object.freeze({...given, value}));
      if (answered.ok) value = answered.answer;
      else if (one.critical) throw stop(answered);
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
  async race({hook, listeners, payload, ask, report}) {
    const over = new AbortController();
    // Of a listener that has nothing to say.
    const silent = new Error('no answer');
    const answers = listeners.map(async (one) => {
      const answered = await ask(one, payload, {over: over.signal});
      if (!answered.ok) report(answered);
      if (answered.ok && answered.answer !== undefined) return answered;
      throw silent;
    });
    try {
      return (await Promise.any(answers)).answer;
    } catch (error) {
      // The caller has cancelled.
      for (const one of (error as AggregateError).errors) if (one !== silent) throw one;
      return hook.unanswered;
    } finally {
      over.abort(new Error('Someone else has answered.'));
    }
  },
  async gate({hook, listeners, payload, ask, isTrusted}) {
    const all = await Promise.all(listeners.map((one) => ask(one, payload)));
    const verdicts = all.map((answered): Judgement | undefined => {
      const {plugin: by} = answered;
      if (!answered.ok)
        return {decision: 'deny', reason: `${by} could not judge this call: ${messageOf(answered.error)}`, by};
      const verdict = answered.answer as Verdict | undefined;
      return verdict === undefined || (verdict.decision === 'allow' && !isTrusted(by)) ? undefined : {...verdict, by};
    });
    const strictest = verdicts.reduce((a, b) => (!a || (b && rankOf(b) > rankOf(a)) ? b : a), undefined);
    const contexts = all.flatMap((answered) =>
      answered.ok ? ((answered.answer as Verdict | undefined)?.context ?? []) : [],
    );
    return {
      ...(strictest ?? {...(hook.unanswered as Verdict), by: undefined}),
      ...(contexts.length > 0 ? {context: contexts.join('\n\n')} : {}),
    };
  },
  async wrap({listeners, ...round}) {
    const {payload, inner, ask, stop} = round;
    const [outer, ...rest] = listeners;
    if (!outer) return inner();
    const answered = await ask(outer, payload, {next: () => kinds.wrap({...round, listeners: rest})});
    if (answered.ok) return answered.answer;
    throw cameThrough(answered.error) ? answered.error : stop(answered);
  },
};

function rankOf({decision}: Verdict): number {
  return decisions.indexOf(decision);
}

/**
 * A listener that throws a KernelError has said what is wrong. A plugin of the product, for which there are hints,
 * cannot be uninstalled.
 */
function stopped({name}: Hook, {plugin, error: cause}: Failed, hints: Hints | undefined): KernelError {
  if (isKernelError(cause)) return cause;
  const hint = hints ? advise('Try again.', hints['HOOK_FAILED']) : `Update or uninstall ${plugin}, then try again.`;
  return new KernelError('HOOK_FAILED', `${plugin} failed at ${name}: ${messageOf(cause)}`, {cause, hint});
}

/** Makes the only dispatcher. Listeners are imported when a payload first passes their filter. */
export function createDispatch(kernel: Parts): Dispatch {
  const filters = new WeakMap<object, ReturnType<typeof compileFilter>>();
  const filterOf = (entry: Owned<ListenerEntry>): ReturnType<typeof compileFilter> => {
    const filter = filters.get(entry) ?? compileFilter(entry.filter);
    filters.set(entry, filter);
    return filter;
  };
  const dispatch = async (name: string, given: unknown, options: DispatchOptions): Promise<unknown> => {
    const hook = kernel.catalog.hooks.get(name);
    if (!hook) throw new KernelError('HOOK_NOT_OWNED', `No plugin owns the moment ${name}.`);
    const inner = options.inner ?? (() => Promise.resolve(undefined));
    const all = kernel.catalog.listeners.get(name) ?? [];
    const subject = {mode: options.session.mode, live: options.session.live, ...options.subject};
    const listeners = all.filter((entry) => filterOf(entry)(subject, options.environment));
    const payload = listeners.length > 0 ? toJson(given, name) : given;
    const ask: Ask = (entry, value, rest) => askListener(kernel, {hook, entry, value, ...rest, options});
    const report = ({plugin, error}: Failed): void =>
      options.tell({
        code: 'LISTENER_FAILED',
        sentence: `${plugin} failed at ${name} and was left out: ${messageOf(error)}`,
      });
    const isTrusted = (plugin: string): boolean => isOurs(kernel.catalog, plugin);
    const stop = (failed: Failed): KernelError =>
      stopped(hook, failed, isTrusted(failed.plugin) ? kernel.hints : undefined);
    return kinds[hook.kind]({hook, listeners, payload, inner, ask, report, stop, isTrusted});
  };
  // What a hook's answers are folded to follows from its kind, which its manifest states.
  return dispatch as Dispatch;
}

/** The moments that `plugin` may announce. */
export function ownsHook(catalog: Catalog, hook: string, plugin: string): boolean {
  return catalog.hooks.get(hook)?.plugin === plugin;
}
