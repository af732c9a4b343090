import {existsSync, realpathSync} from 'node:fs';
import {lstat, mkdir, readdir, readFile, realpath, rm, symlink} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Catalog, Manifest} from '@gemini-kernel/kernel/host';
import {readPackage, type PluginPackage} from './plugin-package.js';

/**
 * Links the running program's kernel and oclif into a plugin's node_modules, and the plugins whose services or
 * contracts it uses with their own requirements. Leaves packages of npm and of a folder above alone. Gives the newly
 * linked names. Throws KernelError PACKAGE_UNLENT.
 */
export async function lendPackages(root: string, catalog: Catalog): Promise<readonly string[]> {
  const pjson = await readPackage(root);
  const lent: string[] = [];
  for (const [name, target] of [
    ['@gemini-kernel/kernel', findOwn('@gemini-kernel/kernel')],
    ['@gemini-kernel/command', findOwn('@gemini-kernel/command')],
    ['@oclif/core', findOwn('@oclif/core')],
    ...(await listPlugins(root, pjson, catalog)),
  ] as const) {
    const path = join(root, 'node_modules', name);
    try {
      if (await isLentTo({root, name, target, pjson})) continue;
      await mkdir(dirname(path), {recursive: true});
      await rm(path, {force: true});
      await symlink(target, path, 'junction');
      lent.push(name);
    } catch (cause) {
      throw new KernelError('PACKAGE_UNLENT', `Cannot link this program's ${name} to ${path}: ${messageOf(cause)}`, {
        cause,
        hint: 'Make its node_modules a writable folder.',
      });
    }
  }
  return lent;
}

/** The folder of this program's copy of a package, which need not export its package.json. */
function findOwn(name: string): string {
  const {resolve} = createRequire(import.meta.url);
  const found = resolve
    .paths(name)
    ?.map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
  if (!found)
    throw new KernelError('PACKAGE_UNLENT', `This installation does not contain ${name}.`, {
      hint: 'Reinstall gemini.',
    });
  return realpathSync(found);
}

interface Wanted {
  readonly root: string;
  readonly name: string;
  readonly target: string;
  readonly pjson: PluginPackage;
}

async function isLentTo({root, name, target, pjson}: Wanted): Promise<boolean> {
  // npm installs the dependencies in package.json.
  if (pjson.dependencies?.[name] !== undefined || pjson.devDependencies?.[name] !== undefined)
    return existsSync(join(root, 'node_modules', name));
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name))) return true;
    if (folder === dirname(folder)) break;
  }
  const path = join(root, 'node_modules', name);
  const found = await lstat(path).catch(ignoreMissing);
  if (!found) return false;
  return !found.isSymbolicLink() || (existsSync(path) && (await realpath(path)) === (await realpath(target)));
}

/** Plugins that its code or tests name, or that provide what it requires, and their own requirements. */
async function listPlugins(
  root: string,
  {gemini}: PluginPackage,
  {plugins, services}: Catalog,
): Promise<readonly (readonly [string, string])[]> {
  const named = (await Promise.all(['src', 'test'].map((folder) => listNamed(join(root, folder))))).flat();
  const providers = (requires: Partial<Manifest['requires']> | undefined): readonly string[] =>
    Object.keys({...requires?.services, ...requires?.optional}).flatMap(
      (service) => services.get(service)?.plugin ?? [],
    );
  const all = new Set<string>();
  const waiting = [...named, ...providers(gemini?.requires)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const plugin = plugins.get(name);
    if (!plugin || all.has(name) || plugin.root === root) continue;
    all.add(name);
    waiting.push(...providers(plugin.manifest.requires));
  }
  return [...all].sort().map((name) => [name, plugins.get(name)?.root ?? ''] as const);
}

async function listNamed(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, {recursive: true, withFileTypes: true}).catch(ignoreMissing);
  const texts = await Promise.all(
    (files ?? [])
      .filter((file) => file.isFile() && /\.[cm]?[jt]s$/.test(file.name))
      .map((file) => readFile(join(file.parentPath ?? file.path, file.name), 'utf8')),
  );
  return texts.flatMap((text) =>
    [...text.matchAll(/['"/](@[a-z0-9._~-]+\/plugin-[a-z0-9-]+)['"/]/g)].flatMap(([, name]) => name ?? []),
  );
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}
