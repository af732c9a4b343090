import type { ErrorTable } from './error.js';
import type { Flag } from './flag.js';
import type { Hook, ListenerSpec } from './hook.js';
import type { JSONSchema } from './json-schema.js';
import type { MomentName } from './registry.js';
import type { ScopeKind } from './session.js';
import type { Setting } from './setting.js';
import type { Effect, ToolAnnotations } from './tool-call.js';
export type Owned<T> = T & {
  readonly plugin: string;
};
interface Contributed {
  readonly module: string;
}
export interface ToolEntry extends Contributed {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly annotations: ToolAnnotations;
  readonly input: JSONSchema;
  readonly output?: JSONSchema;
}
export interface ServiceEntry extends Contributed {
  readonly name: string;
  readonly version: string;
  readonly scope: ScopeKind;
  readonly capability?: string;
  readonly reserved?: boolean;
  readonly local?: true | readonly string[];
  readonly methods?: readonly string[];
}
export type ListenerEntry = Contributed &
  Omit<ListenerSpec<MomentName>, 'run'> & {
    readonly hook: string;
  };
export interface CommandEntry extends Contributed {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly slash: boolean;
  readonly terminal?: boolean;
}
export type TypedCommand = Owned<Pick<CommandEntry, 'id' | 'summary'>> & {
  readonly name: string;
};
export interface Manifest {
  readonly manifestVersion: 1;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly kernel: string;
  readonly requires: {
    readonly services: Readonly<Record<string, string>>;
    readonly optional?: Readonly<Record<string, string>>;
  };
  readonly capabilities?: readonly string[];
  readonly optional?: readonly string[];
  readonly isolation?: 'none' | 'process';
  readonly replaces?: readonly string[];
  readonly tools: readonly ToolEntry[];
  readonly services: readonly ServiceEntry[];
  readonly hooks: readonly Hook[];
  readonly listeners: readonly ListenerEntry[];
  readonly commands: readonly CommandEntry[];
  readonly flags: readonly Flag[];
  readonly settings?: readonly Setting[];
  readonly errors: ErrorTable;
}
export interface HostEntries {
  readonly commands: readonly string[];
  readonly services: readonly ServiceEntry[];
  readonly errors: ErrorTable;
}
export {};
