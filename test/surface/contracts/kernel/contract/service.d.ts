import type { SessionTools } from './call.js';
import type { Environment } from './environment.js';
import type { Form, FormAnswer } from './form.js';
import type { FoldOf, PayloadOf } from './hook.js';
import type { JSONSchema } from './json-schema.js';
import type { TypedCommand } from './manifest.js';
import type { Tell } from './notice.js';
import type { MomentName, ServiceName, Services } from './registry.js';
import type { OpenOptions, Session } from './session-handle.js';
import type { ScopeKind, SessionInfo } from './session.js';
import type { DeclaredSetting } from './setting.js';
import type { Listed } from './source.js';
export interface ServiceContext {
  readonly environment: Environment;
  readonly session: SessionInfo;
  readonly signal: AbortSignal;
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  names(family: string): readonly string[];
  readonly tools: SessionTools;
  open(options?: Omit<OpenOptions, 'parent'>): Session;
  sources<T>(family: string, item: JSONSchema): Promise<readonly Listed<T>[]>;
  changed(): void;
  readonly tell: Tell;
  ask(form: Form, signal?: AbortSignal): Promise<FormAnswer>;
  settings(): readonly DeclaredSetting[];
  commands(): readonly TypedCommand[];
  dispatch<N extends MomentName>(name: N, payload: PayloadOf<N>, act?: () => Promise<unknown>): Promise<FoldOf<N>>;
}
type MethodOf<N> = N extends ServiceName ? keyof Services[N] & string : never;
export interface ServiceSpec<N extends ServiceName> {
  readonly version: string;
  readonly scope: ScopeKind;
  readonly capability?: string;
  readonly reserved?: boolean;
  readonly local?: true | readonly string[];
  readonly methods?: readonly MethodOf<N>[];
  create(context: ServiceContext): Promise<Services[N]> | Services[N];
  describe?(service: Services[N]): Promise<string>;
  dispose?(service: Services[N]): Promise<void> | void;
}
export type Service<N extends ServiceName = ServiceName> = ServiceSpec<N> & {
  readonly name: N;
};
export declare function provide<N extends ServiceName>(name: N, spec: ServiceSpec<N>): Service<N>;
export type ServiceLookup = <N extends ServiceName>(name: N, plugin: string) => Promise<Services[N]>;
export {};
