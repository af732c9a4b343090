import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {CapabilityWish, Environment, Form, FormAnswer, SessionInfo} from '@gemini-kernel/kernel';
import type {ServiceEntry} from '@gemini-kernel/kernel/host';

/** Whether installed plugins run in processes of their own. */
export type IsolationMode = 'required' | 'preferred' | 'off';

/** The files of a plugin, without links on the way, and the sha256 of each by its path below `root`. */
export interface Tree {
  readonly root: string;
  readonly digests: ReadonlyMap<string, string>;
}

/** A contribution of an installed plugin, as the manifest has it. */
export interface RemoteRequest {
  readonly plugin: {
    readonly root: string;
    /** It is linked, and tried in a process of its own whatever the settings say. */
    readonly isolated?: true;
    readonly manifest: {
      readonly name: string;
      readonly version: string;
      readonly capabilities?: readonly string[];
      readonly optional?: readonly string[];
      readonly requires: {
        readonly services: Readonly<Record<string, string>>;
        readonly optional?: Readonly<Record<string, string>>;
      };
    };
  };
  readonly entry: {readonly module: string};
  readonly kind: 'tool' | 'listener' | 'service' | 'command';
  /** The files that a lock vouches for, looked at now; throws where they are others. Absent: nothing vouches for it. */
  tree?(): Promise<Tree | undefined>;
  /** The service `workspace`, where there is one: a session has it. */
  workspace(): Promise<Pick<Workspace, 'roots'>>;
  /** The service of a name, for what travels. */
  serviceOf(name: string): Pick<ServiceEntry, 'name' | 'local' | 'methods'> | undefined;
}

/** What a command of a plugin in a process of its own is run with. */
export interface CommandRun {
  readonly argv: readonly string[];
  readonly signal: AbortSignal;
  /** Whether standard output is a terminal, and whether it shows colours. */
  readonly terminal: boolean;
  readonly colour: boolean;
  /** Flags of other plugins that it takes, as their manifests have them. */
  readonly flags: readonly object[];
  /** The names of the services that there are. */
  readonly services: readonly string[];
  readonly environment: Omit<Environment, 'newId'>;
  readonly session: SessionInfo;
  /** What the program says about itself to oclif. */
  readonly program: object;
  /** Whether it runs in a conversation. */
  readonly isLive: boolean;
  /** Looks up what it needs, with the flags that it was given. */
  open(flags: Readonly<Record<string, unknown>>): {
    service(name: string): Promise<unknown>;
    ask(form: Form): Promise<FormAnswer>;
  };
  /** Prints what it printed, a line at a time. */
  print(line: string, isError: boolean): void;
  /** Sets the exit code. */
  end(code: number): void;
}

/** A command whose code runs in the process of its plugin. */
export interface RemoteCommand {
  run(parts: CommandRun): Promise<unknown>;
}

/** One plugin that runs, or ran, in a process of its own. */
export interface IsolatedPlugin {
  readonly plugin: string;
  readonly state: 'idle' | 'running' | 'left out';
  /** Of the process, as this machine counts. */
  readonly pid?: number;
  readonly starts: number;
  readonly deaths: number;
  /** How it ended the last time, and the last lines that it printed. */
  readonly lastDeath?: string;
  /** Whether the system confines it; else only Node's permission model does. */
  readonly isConfined: boolean;
  /** Bytes of memory that its process uses now, where the system says it. */
  readonly memory?: number;
}

/** One thing that a plugin used or was refused. JSON. */
export interface PluginUse {
  /**
   * The declared capability that covers it, or the one that it would need, such as `fs:read:/etc/passwd`; also
   * `service:<name>` and `tool:<name>` of gemini.
   */
  readonly what: string;
  readonly outcome: 'used' | 'refused';
  /** Who saw it: gemini, or only the process of the plugin, whose word a hostile plugin can forge. */
  readonly seenBy: 'gemini' | 'process';
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
}

/** What one version of a plugin did in processes of its own, in all runs since the first. JSON. */
export interface PluginRecord {
  readonly plugin: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly starts: number;
  readonly deaths: number;
  readonly lastDeath?: string;
  readonly calls: number;
  /** Milliseconds in which at least one call was at work. */
  readonly busyMs: number;
  /** The most bytes of memory that a process had at its end. */
  readonly peakBytes?: number;
  /** At most fifty of each kind. */
  readonly uses: readonly PluginUse[];
  /** How many uses are not among them. */
  readonly dropped: number;
}

/** Runs installed plugins in processes of their own. */
export interface Isolation {
  /** What decides about a plugin, and who says so. */
  mode(plugin: string): Promise<{readonly mode: IsolationMode; readonly by: string}>;
  /**
   * A stand-in for a contribution, whose code runs in the process of its plugin; undefined where the plugin runs in
   * this one. Throws KernelError PLUGIN_UNISOLATED, PLUGIN_DIED.
   */
  contribute(request: RemoteRequest): Promise<unknown>;
  state(): Promise<readonly IsolatedPlugin[]>;
  /** Whether a call of a plugin has an optional capability, without a question. */
  isGranted(plugin: string, capability: string, call: string): Promise<boolean>;
  /** Gives a plugin an optional capability, for one call or until gemini ends. A person has said so. */
  grant(plugin: string, capability: string, call?: string): void;
  /** What is kept of one plugin, or of all that ever ran in a process of their own. */
  records(plugin?: string): Promise<readonly PluginRecord[]>;
}

/** Decides with the person of a session which optional capabilities plugins get. */
export interface PluginGrants {
  /** Asks where nothing is granted yet; no where no one is there. */
  decide(wish: CapabilityWish): Promise<boolean>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    isolation: Isolation;
    'plugin-grants': PluginGrants;
  }
}
