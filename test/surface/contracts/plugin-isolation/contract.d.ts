import type { Workspace } from '@gemini-kernel/plugin-workspace/contract';
import type { CapabilityWish, Environment, Form, FormAnswer, SessionInfo } from '@gemini-kernel/kernel';
import type { ServiceEntry } from '@gemini-kernel/kernel/host';
export type IsolationMode = 'required' | 'preferred' | 'off';
export interface Tree {
  readonly root: string;
  readonly digests: ReadonlyMap<string, string>;
}
export interface RemoteRequest {
  readonly plugin: {
    readonly root: string;
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
  readonly entry: {
    readonly module: string;
  };
  readonly kind: 'tool' | 'listener' | 'service' | 'command';
  tree?(): Promise<Tree | undefined>;
  workspace(): Promise<Pick<Workspace, 'roots'>>;
  serviceOf(name: string): Pick<ServiceEntry, 'name' | 'local' | 'methods'> | undefined;
}
export interface CommandRun {
  readonly argv: readonly string[];
  readonly signal: AbortSignal;
  readonly terminal: boolean;
  readonly colour: boolean;
  readonly flags: readonly object[];
  readonly services: readonly string[];
  readonly environment: Omit<Environment, 'newId'>;
  readonly session: SessionInfo;
  readonly program: object;
  readonly isLive: boolean;
  open(flags: Readonly<Record<string, unknown>>): {
    service(name: string): Promise<unknown>;
    ask(form: Form): Promise<FormAnswer>;
  };
  print(line: string, isError: boolean): void;
  end(code: number): void;
}
export interface RemoteCommand {
  run(parts: CommandRun): Promise<unknown>;
}
export interface IsolatedPlugin {
  readonly plugin: string;
  readonly state: 'idle' | 'running' | 'left out';
  readonly pid?: number;
  readonly starts: number;
  readonly deaths: number;
  readonly lastDeath?: string;
  readonly isConfined: boolean;
  readonly memory?: number;
}
export interface PluginUse {
  readonly what: string;
  readonly outcome: 'used' | 'refused';
  readonly seenBy: 'gemini' | 'process';
  readonly count: number;
  readonly first: number;
  readonly last: number;
}
export interface PluginRecord {
  readonly plugin: string;
  readonly version: string;
  readonly since: number;
  readonly starts: number;
  readonly deaths: number;
  readonly lastDeath?: string;
  readonly calls: number;
  readonly busyMs: number;
  readonly peakBytes?: number;
  readonly uses: readonly PluginUse[];
  readonly dropped: number;
}
export interface Isolation {
  mode(plugin: string): Promise<{
    readonly mode: IsolationMode;
    readonly by: string;
  }>;
  contribute(request: RemoteRequest): Promise<unknown>;
  state(): Promise<readonly IsolatedPlugin[]>;
  isGranted(plugin: string, capability: string, call: string): Promise<boolean>;
  grant(plugin: string, capability: string, call?: string): void;
  records(plugin?: string): Promise<readonly PluginRecord[]>;
}
export interface PluginGrants {
  decide(wish: CapabilityWish): Promise<boolean>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    isolation: Isolation;
    'plugin-grants': PluginGrants;
  }
}
