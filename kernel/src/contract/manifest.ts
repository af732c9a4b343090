import type {ErrorTable} from './error.js';
import type {Flag} from './flag.js';
import type {Hook, ListenerSpec} from './hook.js';
import type {JSONSchema} from './json-schema.js';
import type {MomentName} from './registry.js';
import type {ScopeKind} from './session.js';
import type {Setting} from './setting.js';
import type {Effect, ToolAnnotations} from './tool-call.js';

/** A contribution with the plugin it comes from. */
export type Owned<T> = T & {readonly plugin: string};

/** A file of the plugin, relative to its root, whose default export is the contribution. */
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
  /** Only plugins of the product may require it. */
  readonly reserved?: boolean;
  /** True, or the names of methods: what works within one process only, and never travels. */
  readonly local?: true | readonly string[];
  /** The methods that travel. */
  readonly methods?: readonly string[];
}

export type ListenerEntry = Contributed & Omit<ListenerSpec<MomentName>, 'run'> & {readonly hook: string};

export interface CommandEntry extends Contributed {
  /** Words joined by colons: `directory:add`. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly slash: boolean;
  /** It has the terminal also where it runs in a process of its own. */
  readonly terminal?: boolean;
}

/** A command that can be typed in a conversation, under one of its names. */
export type TypedCommand = Owned<Pick<CommandEntry, 'id' | 'summary'>> & {readonly name: string};

/** Everything the kernel knows of a plugin before any of its code is read: the content of `gemini.plugin.json`. */
export interface Manifest {
  readonly manifestVersion: 1;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The kernel versions it works with, as a range. */
  readonly kernel: string;
  /** Ranges by service; a plugin works without the optional ones. */
  readonly requires: {
    readonly services: Readonly<Record<string, string>>;
    readonly optional?: Readonly<Record<string, string>>;
  };
  /** What it reaches for, as `fs:read`, `net:<host>` and the like. */
  readonly capabilities?: readonly string[];
  /** What it may ask for when it needs it: nothing of it is granted before a person says so. */
  readonly optional?: readonly string[];
  /** Where it wishes to run; every plugin runs in the process of the program so far. */
  readonly isolation?: 'none' | 'process';
  /** Tools of the product that it means to replace. */
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

/** What a host contributes beside all plugins, under the name of the kernel. */
export interface HostEntries {
  /** Ids of commands. */
  readonly commands: readonly string[];
  /** Their modules are what `importFile` is asked for, just as they are. */
  readonly services: readonly ServiceEntry[];
  readonly errors: ErrorTable;
}
