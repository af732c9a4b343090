import {brand} from './brand.js';
import type {JSONSchema} from './json-schema.js';
import type {MomentName, Moments, ServiceName, Services} from './registry.js';
import type {SessionInfo} from './session.js';
import type {Effect, ToolCall, Verdict} from './tool-call.js';

export type HookKind = 'notify' | 'collect' | 'transform' | 'first' | 'race' | 'gate' | 'wrap';

type Answer<M> = M extends {kind: 'notify'}
  ? unknown
  : M extends {kind: 'gate'}
    ? Verdict | undefined
    : M extends {kind: 'transform'; payload: {value: infer V}}
      ? V
      : M extends {kind: 'collect'; answer: infer A}
        ? readonly A[]
        : M extends {kind: 'first' | 'race'; answer: infer A}
          ? A | undefined
          : M extends {answer: infer A}
            ? A
            : never;

/** What a filter may speak about; a hook says which of these its payload carries. */
export interface Filter {
  /** Tool names; `*` stands for any run of characters. */
  readonly tool?: string | readonly string[];
  readonly effect?: Effect | readonly Effect[];
  /** Globs over absolute paths that the call touches (`*`, `**`, `?`, `{a,b}`). */
  readonly path?: string | readonly string[];
  readonly mode?: string | readonly string[];
  /** Only in a running conversation, or only outside of one. Every hook carries it. */
  readonly live?: boolean;
  /**
   * Only while one of these is there: `$NAME`, a variable that is set, or `tmp/a/b`, a folder below the temporary one
   * with something in it. For every hook.
   */
  readonly present?: readonly string[];
}

/** What only some hooks offer. */
export type FilterKey = Exclude<keyof Filter, 'live' | 'present'>;

/** A hook's whole meaning, as data. */
export interface HookSpec<K extends HookKind = HookKind> {
  readonly kind: K;
  readonly description: string;
  /** The time limit of one listener in ms; 0 = no limit (a person is asked). Default 5000. */
  readonly timeoutMs?: number;
  readonly filters?: readonly FilterKey[];
  /** Checked against every answer of a transform, collect, first or race listener. */
  readonly answer?: JSONSchema;
  /** Only plugins that came with the product may listen: an answer here can loosen what gates decide. */
  readonly reserved?: boolean;
  /** The outcome without an answer. JSON. */
  readonly unanswered?: unknown;
}

export type Hook<K extends HookKind = HookKind> = HookSpec<K> & {readonly name: string};

/** Names a moment and says what it means; the default export of a file in `src/hooks/`. */
export function defineHook<N extends MomentName>(name: N, spec: HookSpec<KindOf<N>>): Hook {
  return brand({name, ...spec}, 'hook');
}

type KindOf<N extends MomentName> = Moments[N] extends {kind: infer K extends HookKind} ? K : never;
export type PayloadOf<N extends MomentName> = Moments[N] extends {payload: infer P} ? P : never;
export type AnswerOf<N extends MomentName> = Answer<Moments[N]>;

/** A gate's answer with the plugin that gave it; undefined when none decided. */
export interface Judgement extends Verdict {
  readonly by: string | undefined;
}

type Folded<M> = M extends {kind: 'notify'}
  ? void
  : M extends {kind: 'gate'}
    ? Judgement
    : M extends {kind: 'transform'; payload: {value: infer V}}
      ? V
      : M extends {kind: 'collect'; answer: infer A}
        ? readonly A[]
        : M extends {kind: 'first'; answer: infer A}
          ? A | undefined
          : M extends {answer: infer A}
            ? A
            : never;

/** What all answers at a moment come to. */
export type FoldOf<N extends MomentName> = Folded<Moments[N]>;

export interface ListenerContext<M = unknown> {
  /** Aborted when the deadline passes or the caller cancels. */
  readonly signal: AbortSignal;
  readonly session: SessionInfo;
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  /** Wrap listeners only: runs the wrapped act; may be called once. */
  readonly next: M extends {kind: 'wrap'; answer: infer A} ? () => Promise<A> : undefined;
}

/** The part of a call that makes a guard refuse it. */
export type Probe = Partial<Pick<ToolCall, 'tool' | 'effect' | 'input' | 'touches'>>;

export interface ListenerSpec<N extends MomentName> {
  readonly filter?: Filter;
  /** `pre` before, `post` after all listeners of phase `normal` (the default). */
  readonly phase?: 'pre' | 'normal' | 'post';
  /** Names of plugins whose listeners come later or earlier than this one, within the phase. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** Shorter than the hook's own deadline; a longer one counts only for plugins that came with the product. */
  readonly timeoutMs?: number;
  /** Transform only: a failure stops the act instead of dropping the change. */
  readonly critical?: boolean;
  /**
   * Gate `tool:judge` only: a call that this listener must refuse. It is asked now and then, to prove that it still
   * guards.
   */
  readonly probe?: Probe;
  run(payload: PayloadOf<N>, context: ListenerContext<Moments[N]>): Promise<AnswerOf<N>> | AnswerOf<N>;
}

export type Listener<N extends MomentName = MomentName> = ListenerSpec<N> & {readonly hook: N};

/** Listens to a moment; the default export of a file in `src/listeners/`. */
export function listen<N extends MomentName, const S extends ListenerSpec<N>>(
  hook: N,
  spec: S & ListenerSpec<N>,
): Listener<N> {
  return brand({hook, ...spec}, 'listener');
}
