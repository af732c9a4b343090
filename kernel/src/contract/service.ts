import {brand} from './brand.js';
import type {SessionTools} from './call.js';
import type {Environment} from './environment.js';
import type {Form, FormAnswer} from './form.js';
import type {FoldOf, PayloadOf} from './hook.js';
import type {JSONSchema} from './json-schema.js';
import type {TypedCommand} from './manifest.js';
import type {Tell} from './notice.js';
import type {MomentName, ServiceName, Services} from './registry.js';
import type {OpenOptions, Session} from './session-handle.js';
import type {ScopeKind, SessionInfo} from './session.js';
import type {DeclaredSetting} from './setting.js';
import type {Listed} from './source.js';

export interface ServiceContext {
  /** Without a directory, variables and flags in a service of the program. */
  readonly environment: Environment;
  readonly session: SessionInfo;
  /** Aborted when the scope that the service lives in closes. */
  readonly signal: AbortSignal;
  /** Another service. The plugin's manifest must require it (SERVICE_UNDECLARED otherwise). */
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  /**
   * The services of a family (`model` for `model:…`) that the plugin's manifest requires as `model:*`, in the order of
   * their plugins; for the name of a service that it requires as optional, that name when it is there.
   */
  names(family: string): readonly string[];
  /** Throws KernelError SERVICE_SCOPE in a service that does not live in a session. */
  readonly tools: SessionTools;
  /**
   * Opens a session below the one that this service lives in. A service of a place opens one in its place; only plugins
   * of the product have such services open one (SERVICE_SCOPE).
   */
  open(options?: Omit<OpenOptions, 'parent'>): Session;
  /**
   * What the sources of a family list (`commands` for `commands:…`), which the manifest requires as for `names`: each
   * list is kept until its source calls `changed`. A list with an item that does not fit counts as empty.
   */
  sources<T>(family: string, item: JSONSchema): Promise<readonly Listed<T>[]>;
  /** Says that what this service lists as a source is no longer what it listed before. */
  changed(): void;
  /**
   * Tells the person about something that does not stop the work: in the session, or in every session of the place or
   * the program that the service lives in.
   */
  readonly tell: Tell;
  /** Asks the person of the session. Throws KernelError SERVICE_SCOPE in a service that does not live in one. */
  ask(form: Form, signal?: AbortSignal): Promise<FormAnswer>;
  /** Every setting that plugins declare: the same list until the catalog is another one. */
  settings(): readonly DeclaredSetting[];
  /** The commands that can be typed in a conversation: the same list until the catalog is another one. */
  commands(): readonly TypedCommand[];
  /** Announces a moment this plugin owns and gives the folded answer; `act` is what a wrap is around. */
  dispatch<N extends MomentName>(name: N, payload: PayloadOf<N>, act?: () => Promise<unknown>): Promise<FoldOf<N>>;
}

/** A method of one service, or of any of several. */
type MethodOf<N> = N extends ServiceName ? keyof Services[N] & string : never;

export interface ServiceSpec<N extends ServiceName> {
  /** Version of the contract, `major.minor.patch`; others require it as a range. */
  readonly version: string;
  /** `program`: one for all; `place`: one per directory with its settings and variables; `session`: one per session. */
  readonly scope: ScopeKind;
  /** What an installed plugin must declare to be given it: a kind (`net`) or a whole capability (`fs:read`). */
  readonly capability?: string;
  /** Only for plugins of the product: it acts for a person, or can loosen what is judged. */
  readonly reserved?: boolean;
  /** True, or the names of methods: what works within one process only. All else takes and gives JSON. */
  readonly local?: true | readonly string[];
  /** Its methods that travel: who does not have its code makes a stand-in of them. */
  readonly methods?: readonly MethodOf<N>[];
  /** Called once per scope, on first use. */
  create(context: ServiceContext): Promise<Services[N]> | Services[N];
  /** One line about its state, for who examines the program. */
  describe?(service: Services[N]): Promise<string>;
  /** Called when the scope closes, in reverse order of creation. */
  dispose?(service: Services[N]): Promise<void> | void;
}

export type Service<N extends ServiceName = ServiceName> = ServiceSpec<N> & {readonly name: N};

/** Offers a service; the default export of a file in `src/services/`. Methods are async and take JSON. */
export function provide<N extends ServiceName>(name: N, spec: ServiceSpec<N>): Service<N> {
  return brand({name, ...spec}, 'service');
}

/** Finds a service for a plugin; for the kernel itself every service is open. */
export type ServiceLookup = <N extends ServiceName>(name: N, plugin: string) => Promise<Services[N]>;
