import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf, type ErrorTable} from './error.js';
import type {Flag} from './flag.js';
import type {Hook, ListenerSpec, MomentName} from './hook.js';
import type {JSONSchema} from './json-schema.js';
import {findViolations} from './schema.js';
import type {Service} from './service.js';
import type {Tool, ToolAnnotations} from './tool.js';

/** A file of the plugin, relative to its root, whose default export is the contribution. */
interface Contributed {
  readonly module: string;
}

export type ToolEntry = Contributed &
  Pick<Tool, 'name' | 'description' | 'effect'> & {readonly annotations: ToolAnnotations; readonly input: JSONSchema};
export type ServiceEntry = Contributed & Pick<Service, 'version' | 'scope' | 'capability'> & {readonly name: string};
export type ListenerEntry = Contributed & Omit<ListenerSpec<MomentName>, 'run'> & {readonly hook: string};

export interface CommandEntry extends Contributed {
  /** Words joined by colons: `directory:add`. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly slash: boolean;
}

/** Gives the bytes or the text of a file, or throws. */
export type ReadFile = (path: string) => Promise<Uint8Array | string>;

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
  readonly errors: ErrorTable;
}

/**
 * Reads and checks the manifest of the plugin at `root`; `read` gives the bytes of a file. Throws KernelError
 * MANIFEST_UNREADABLE or MANIFEST_INVALID, naming the plugin's folder.
 */
export async function readManifest(root: string, schema: JSONSchema, read: ReadFile = readText): Promise<Manifest> {
  const path = join(root, 'gemini.plugin.json');
  let value: unknown;
  try {
    value = JSON.parse(String(await read(path)));
  } catch (cause) {
    throw new KernelError('MANIFEST_UNREADABLE', `Cannot read ${path}: ${messageOf(cause)}`, {
      cause,
      hint: 'Build the plugin, or reinstall it.',
    });
  }
  const faults = await findViolations(schema, value, 'manifest');
  if (faults.length > 0) {
    throw new KernelError(
      'MANIFEST_INVALID',
      `${path} is not a valid plugin manifest: ${faults.slice(0, 3).join(' ')}`,
      {hint: 'Build the plugin again with this version of the kernel.'},
    );
  }
  // The schema above has just said so.
  return value as Manifest;
}
