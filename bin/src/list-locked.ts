import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import {readLock, storeName, type LockedPlugin, type PluginsLock} from '@gemini-kernel/admission/start';
import {messageOf, type Refusal} from '@gemini-kernel/kernel/host';

/** Whose lock has a plugin. */
export type Scope = 'system' | 'project' | 'user';

/** One line of a lock, with where it stands. */
export interface Listed {
  readonly name: string;
  readonly scope: Scope;
  readonly locked: LockedPlugin;
  readonly root: string;
  readonly place?: string;
}

export interface Listing {
  readonly listed: readonly Listed[];
  readonly refused: Refusal[];
  /** Why the administrator's lock cannot be read. */
  readonly fault?: string;
  /** Why the person's lock cannot be read. */
  readonly broken?: string;
}

export interface LockPlaces {
  readonly installs: InstallPlaces;
  /** Whether a project's lock stands for the person's. */
  readonly frozen: boolean;
}

/** Every line of the locks that are in force; the first lock that names a plugin decides about it. */
export async function listLocked({installs, frozen}: LockPlaces, schema: Record<string, unknown>): Promise<Listing> {
  const {system, project, user, unread, refused} = await readLocks(installs, schema);
  const listed = new Map<string, Listed>();
  const add = (scope: Scope, lock: PluginsLock | undefined, store: string): void => {
    for (const [name, locked] of Object.entries(lock?.plugins ?? {}))
      if (!listed.has(name)) listed.set(name, place({name, scope, locked}, store));
  };
  add('system', system, installs.system.store);
  for (const [name, locked] of Object.entries(project?.plugins ?? {})) {
    const one = place({name, scope: 'project', locked: onlyAgreed(name, locked, user)}, installs.user.store);
    const fault = findProjectFault(one);
    if (fault) refused.push({name, root: one.root, reason: fault});
    else if (!listed.has(name)) listed.set(name, one);
  }
  if (frozen && project) {
    const absent = Object.keys(user?.plugins ?? {}).filter((name) => !listed.has(name));
    const reason = 'the lock of this project does not have it (frozen)';
    refused.push(...absent.map((name) => ({name, root: installs.user.lock, reason})));
  } else add('user', user, installs.user.store);
  const fault = unread.get(installs.system.lock);
  const broken = unread.get(installs.user.lock);
  // Someone who damages it must not choose what comes in its place.
  return fault ? {listed: [], refused, fault} : {listed: [...listed.values()], refused, ...(broken ? {broken} : {})};
}

interface Locks {
  readonly system: PluginsLock | undefined;
  readonly project: PluginsLock | undefined;
  readonly user: PluginsLock | undefined;
  /** Why a lock cannot be read, by its path. */
  readonly unread: ReadonlyMap<string, string>;
  readonly refused: Refusal[];
}

async function readLocks(installs: InstallPlaces, schema: Record<string, unknown>): Promise<Locks> {
  const refused: Refusal[] = [];
  const unread = new Map<string, string>();
  const read = async (path: string): Promise<PluginsLock | undefined> =>
    readLock(path, schema).catch((error: unknown) => {
      unread.set(path, messageOf(error));
      refused.push({name: 'installed plugins', root: path, reason: messageOf(error)});
      return undefined;
    });
  const [system, project, user] = [
    await read(installs.system.lock),
    await read(installs.project.lock),
    await read(installs.user.lock),
  ];
  return {system, project, user, unread, refused};
}

/**
 * A project chooses among the trees that the person installed. What it cannot have loaded takes nothing of the person's
 * away.
 */
function findProjectFault({place: folder}: Listed): string | undefined {
  if (folder === undefined) return 'the lock of a project cannot link';
  return existsSync(folder)
    ? undefined
    : 'the project wants it, and it is not installed; run gemini plugins install --project';
}

/**
 * A project can choose among what the person installed; what it writes of the person's consent to replace tools is not
 * the person's.
 */
function onlyAgreed(name: string, locked: LockedPlugin, user: PluginsLock | undefined): LockedPlugin {
  const {replaces: _, ...rest} = locked;
  const own = user?.plugins[name];
  return own?.tree === locked.tree && own?.replaces ? {...rest, replaces: own.replaces} : rest;
}

function place(one: Pick<Listed, 'name' | 'scope' | 'locked'>, store: string): Listed {
  const {name, locked} = one;
  if (locked.source.type === 'link') return {...one, root: locked.source.location};
  const folder = join(store, storeName(name, locked));
  return {...one, place: folder, root: join(folder, 'node_modules', name)};
}
