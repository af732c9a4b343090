import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {Environment, Form, FormAnswer, SessionInfo} from '@gemini-kernel/kernel';
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
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    isolation: Isolation;
  }
}
