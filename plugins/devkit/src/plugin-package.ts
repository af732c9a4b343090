import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Manifest} from '@gemini-kernel/kernel/host';

/** The fields of a plugin's package.json that the devkit uses. */
export interface PluginPackage {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly oclif?: {readonly hooks?: Readonly<Record<string, unknown>>};
  readonly gemini?: {
    readonly kernel?: string;
    readonly requires?: Partial<Manifest['requires']>;
    readonly capabilities?: readonly string[];
    readonly optional?: readonly string[];
    readonly isolation?: 'none' | 'process';
    readonly replaces?: readonly string[];
  };
}

/** Reads the package.json of a plugin. Throws KernelError BUILD_INVALID. */
export async function readPackage(root: string): Promise<PluginPackage> {
  try {
    return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as PluginPackage;
  } catch (cause) {
    throw new KernelError('BUILD_INVALID', `Cannot read the package.json of ${root}: ${messageOf(cause)}`, {
      cause,
      hint: 'Pass the folder of a plugin.',
    });
  }
}
