import type { JSONSchema } from './json-schema.js';
import type { MomentName, Moments, ServiceName, Services } from './registry.js';
import type { SessionInfo } from './session.js';
import type { Effect, ToolCall, Verdict } from './tool-call.js';
export type HookKind = 'notify' | 'collect' | 'transform' | 'first' | 'race' | 'gate' | 'wrap';
type Answer<M> = M extends {
  kind: 'notify';
}
  ? unknown
  : M extends {
        kind: 'gate';
      }
    ? Verdict | undefined
    : M extends {
          kind: 'transform';
          payload: {
            value: infer V;
          };
        }
      ? V
      : M extends {
            kind: 'collect';
            answer: infer A;
          }
        ? readonly A[]
        : M extends {
              kind: 'first' | 'race';
              answer: infer A;
            }
          ? A | undefined
          : M extends {
                answer: infer A;
              }
            ? A
            : never;
export interface Filter {
  readonly tool?: string | readonly string[];
  readonly effect?: Effect | readonly Effect[];
  readonly path?: string | readonly string[];
  readonly mode?: string | readonly string[];
  readonly live?: boolean;
  readonly present?: readonly string[];
}
export type FilterKey = Exclude<keyof Filter, 'live' | 'present'>;
export interface HookSpec<K extends HookKind = HookKind> {
  readonly kind: K;
  readonly description: string;
  readonly timeoutMs?: number;
  readonly filters?: readonly FilterKey[];
  readonly answer?: JSONSchema;
  readonly reserved?: boolean;
  readonly unanswered?: unknown;
}
export type Hook<K extends HookKind = HookKind> = HookSpec<K> & {
  readonly name: string;
};
export declare function defineHook<N extends MomentName>(name: N, spec: HookSpec<KindOf<N>>): Hook;
type KindOf<N extends MomentName> = Moments[N] extends {
  kind: infer K extends HookKind;
}
  ? K
  : never;
export type PayloadOf<N extends MomentName> = Moments[N] extends {
  payload: infer P;
}
  ? P
  : never;
export type AnswerOf<N extends MomentName> = Answer<Moments[N]>;
export interface Judgement extends Verdict {
  readonly by: string | undefined;
}
type Folded<M> = M extends {
  kind: 'notify';
}
  ? void
  : M extends {
        kind: 'gate';
      }
    ? Judgement
    : M extends {
          kind: 'transform';
          payload: {
            value: infer V;
          };
        }
      ? V
      : M extends {
            kind: 'collect';
            answer: infer A;
          }
        ? readonly A[]
        : M extends {
              kind: 'first';
              answer: infer A;
            }
          ? A | undefined
          : M extends {
                answer: infer A;
              }
            ? A
            : never;
export type FoldOf<N extends MomentName> = Folded<Moments[N]>;
export interface ListenerContext<M = unknown> {
  readonly signal: AbortSignal;
  readonly session: SessionInfo;
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  readonly next: M extends {
    kind: 'wrap';
    answer: infer A;
  }
    ? () => Promise<A>
    : undefined;
}
export type Probe = Partial<Pick<ToolCall, 'tool' | 'effect' | 'input' | 'touches'>>;
export interface ListenerSpec<N extends MomentName> {
  readonly filter?: Filter;
  readonly phase?: 'pre' | 'normal' | 'post';
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly timeoutMs?: number;
  readonly critical?: boolean;
  readonly probe?: Probe;
  run(payload: PayloadOf<N>, context: ListenerContext<Moments[N]>): Promise<AnswerOf<N>> | AnswerOf<N>;
}
export type Listener<N extends MomentName = MomentName> = ListenerSpec<N> & {
  readonly hook: N;
};
export declare function listen<N extends MomentName, const S extends ListenerSpec<N>>(
  hook: N,
  spec: S & ListenerSpec<N>,
): Listener<N>;
export {};
