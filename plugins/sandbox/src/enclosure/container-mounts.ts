import {existsSync, mkdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {} from '@gemini-kernel/admission/contract';
import {isWithin} from '../linux/is-within.js';
import {realOrSame} from '../linux/real-of.js';
import {checkPath, type ContainerMount} from './container-options.js';
import type {Entering} from './live-enclosure.js';

/** What decides about later starts, in the folder of settings: read-only where it is there. */
const DECIDING = ['settings.json', 'policies', 'extensions', 'commands', 'agents', 'skills', '.env'];
const SYSTEM: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: '/etc/gemini-cli',
  darwin: '/Library/Application Support/GeminiCli',
};

/**
 * What a container has of this machine, each at its own place: the workspace, the program, and what gemini keeps.
 * Throws KernelError SANDBOX_OPTION_INVALID for a path that cannot be mounted.
 */
export async function findMounts({
  environment,
  names,
  service,
  program,
  roots,
}: Entering): Promise<readonly ContainerMount[]> {
  const {home, cacheDir, temporary, platform, variables} = environment;
  const own = join(home, '.gemini');
  mkdirSync(own, {recursive: true, mode: 0o700});
  const installs = names('installs').length > 0 ? await (await service('installs')).places() : undefined;
  const {user, system} = installs ?? {};
  const written = [...roots, own, cacheDir, ...(user ? [dirname(user.lock)] : [])];
  const managed = [SYSTEM[platform], system && dirname(system.lock), system?.rules, system && dirname(system.store)];
  const read = [
    dirname(dirname(program.file)),
    ...DECIDING.map((name) => join(own, name)),
    ...managed.flatMap((path) => path ?? []),
    join(temporary, 'gemini', 'ide'),
    join(variables['HOME'] || home, '.config', 'gcloud'),
    ...[variables['GOOGLE_APPLICATION_CREDENTIALS'] ?? ''],
  ];
  const there = (paths: readonly string[]): readonly string[] => [
    ...new Set(paths.filter((path) => path !== '' && existsSync(path)).flatMap((path) => [path, realOrSame(path)])),
  ];
  return [
    ...there(written).map((path): ContainerMount => ({from: path, to: path, rights: 'rw'})),
    // A program that lies in the workspace is developed there.
    ...there(read)
      .filter((path) => !roots.some((root) => isWithin(path, root)))
      .map((path): ContainerMount => ({from: path, to: path, rights: 'ro'})),
    ...environmentOf(environment.cwd, variables['VIRTUAL_ENV']),
  ].map((mount) => ({...mount, from: checkPath(mount.from, 'A folder')}));
}

/** A virtual environment has programs of this machine; the container gets an empty one of its own. */
function environmentOf(cwd: string, path: string | undefined): readonly ContainerMount[] {
  if (!path || path === cwd || !isWithin(path, cwd)) return [];
  const from = join(cwd, '.gemini', 'sandbox.venv');
  mkdirSync(from, {recursive: true});
  return [{from, to: path, rights: 'rw'}];
}
