import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';

/** The fields that are read from a plugin's package.json. */
export interface PluginPackage {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, {readonly optional?: boolean}>>;
  readonly bundleDependencies?: readonly string[] | boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly license?: unknown;
}

const NAME = /^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/;
const VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/;
const SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

/** Reads the package.json of a package. Throws KernelError PLUGIN_UNFIT. */
export async function readPluginPackage(root: string): Promise<PluginPackage> {
  let value: Partial<PluginPackage> | null;
  try {
    value = JSON.parse(await readText(join(root, 'package.json'))) as Partial<PluginPackage> | null;
  } catch (cause) {
    throw new KernelError('PLUGIN_UNFIT', `It is not a package: its package.json cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
  const {name, version} = value ?? {};
  if (typeof name !== 'string' || name.length > 214 || !NAME.test(name))
    throw new KernelError('PLUGIN_UNFIT', `It is not a valid package: its name is ${JSON.stringify(name)}.`);
  if (typeof version !== 'string' || !VERSION.test(version))
    throw new KernelError('PLUGIN_UNFIT', `${name} is not a valid package: its version is ${JSON.stringify(version)}.`);
  return {...value, name, version};
}

/** The scripts that npm would run when a package is installed. */
export function installScriptsOf({scripts = {}}: PluginPackage): readonly string[] {
  return SCRIPTS.filter((name) => typeof scripts[name] === 'string');
}
