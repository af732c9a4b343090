import {accessSync, constants, existsSync, lstatSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {Grant, ModeLimits, Mount, Plan} from '../contract.js';
import {GOVERNING, HOME_READ, RUN_READ, SYSTEM_MASKED} from './home-list.js';
import {isWithin} from './is-within.js';
import {listeningSockets} from './listening-sockets.js';
import {isOurs, type MadeNames} from './made-names.js';
import {openLinked} from './linked-repository.js';
import {ancestors, protectRepository} from './protect-repository.js';
import type {Protected} from './protected-tree.js';
import {realOf} from './real-of.js';

export interface PlanParts {
  readonly roots: readonly string[];
  readonly mode: string;
  /** What files of rules say about the mode. */
  readonly limits: ModeLimits;
  readonly grants: readonly Grant[];
  /** The home of the person, and the folder where gemini keeps settings and tokens. */
  readonly home: string;
  readonly settings: string;
  /** The folder of the session for temporary files. */
  readonly temporary: string;
  /** What each root holds. */
  readonly protected: ReadonlyMap<string, Protected>;
  readonly made: MadeNames;
}

type Held = Pick<PlanParts, 'roots' | 'protected' | 'made'>;

/** Why most of the machine, and some of a home, is read-only. */
export const SYSTEM = 'programs and libraries of this machine';
export const TOOLS = 'tools in your home';
const TEMPORARY = 'temporary files; new for each command';

/** Repositories beyond these cannot be written at all: each needs several mounts, and mounts cost time. */
const MOST_OPEN = 8;

/**
 * What a confined program sees, in the order in which it is mounted. Throws KernelError SANDBOX_ROOT_TOO_WIDE, and
 * SANDBOX_GRANT_INVALID for a path that contains the home.
 */
export function makePlan(parts: PlanParts): Plan {
  const {roots, home, grants, limits} = parts;
  for (const root of roots) refuseWide(root, home);
  for (const grant of grants) refuseWideGrant(grant, home);
  const isPlan = parts.mode === 'plan';
  const counting = isPlan ? grants.map(({from, read = []}): Grant => ({from, read})) : grants;
  const reason = isPlan ? 'plan mode writes nothing' : readOnlyReason(limits, counting);
  const opened = openRoots(parts, reason);
  // What is granted above or in a workspace that cannot be written does not open it.
  const shared = reason === undefined ? [...opened, ...granted(counting)] : [...granted(counting), ...opened];
  const inner = [...visibleHome(parts), ...shared];
  const hidden = hide(parts, inner);
  const shown = [...hidden, ...inner];
  const mounts = [
    ...systemMounts(),
    ...shown,
    ...(reason === undefined ? protectRoots(parts) : []),
    ...maskSecrets(parts),
    ...maskSockets(hidden, [...roots, ...counting.flatMap(({write = []}) => write)], inner),
  ];
  return {mounts: lastOfEach(mounts), network: networkOf(parts, counting)};
}

function readOnlyReason({readOnly}: ModeLimits, grants: readonly Grant[]): string | undefined {
  return grants.some(({workspace}) => workspace) ? undefined : readOnly;
}

function networkOf({mode, limits}: PlanParts, grants: readonly Grant[]): Plan['network'] {
  if (limits.network !== undefined) return {reach: 'all', why: limits.network};
  if (mode === 'plan') return {reach: 'none', why: 'plan mode has no network'};
  const all = grants.find(({network}) => network === true);
  if (all) return {reach: 'all', why: all.from};
  const hosts = grants.flatMap(({from: why, network}) =>
    typeof network === 'object' ? network.map((host) => ({host, why})) : [],
  );
  return hosts.length > 0
    ? {reach: 'hosts', why: 'only some hosts are granted', hosts}
    : {reach: 'none', why: 'nothing grants it'};
}

export function refuseWide(root: string, home: string): void {
  if (root !== '/' && !isWithin(home, root)) return;
  throw new KernelError('SANDBOX_ROOT_TOO_WIDE', `The workspace contains ${home}, so a sandbox could hide nothing.`, {
    hint: `Start gemini in the folder of a project, not in ${root}.`,
  });
}

export function refuseWideGrant({from, write = []}: Grant, home: string): void {
  const wide = write.find((path) => isWithin(home, realOf(path) ?? path));
  if (wide === undefined) return;
  throw new KernelError('SANDBOX_GRANT_INVALID', `${from} grants ${wide}, which contains your home.`, {
    hint: 'Grant the folder that commands need, not one above your home.',
  });
}

function systemMounts(): readonly Mount[] {
  return [
    {kind: 'read', path: '/', why: SYSTEM},
    {kind: 'system', path: '/dev', why: 'devices that every program may use'},
    {kind: 'system', path: '/proc', why: 'the processes of the sandbox; read-only'},
  ];
}

/** Folders of which nothing is seen but what is mounted into them afterwards. */
function hide({home, settings, temporary}: PlanParts, inner: readonly Mount[]): readonly Mount[] {
  const holds = (path: string): boolean =>
    [...inner.map((mount) => mount.path), home].some((one) => isWithin(one, path));
  const homes = unique(['/home', '/root'].flatMap(realFolder)).filter((path) => path !== home);
  return [
    {kind: 'empty', path: '/run', why: 'sockets of programs that act for you'},
    ...RUN_READ.filter(existsSync).map((path): Mount => ({kind: 'read', path, why: 'programs of this machine'})),
    ...homes.map((path): Mount => ({kind: 'empty', path, why: 'homes'})),
    ...realFolder('/tmp').map((path): Mount =>
      // A program could put links where something else is to be mounted.
      holds(path)
        ? {kind: 'fresh', path, why: `${TEMPORARY}, because a mount lies in it`}
        : {kind: 'private', path, source: temporary, why: 'temporary files and caches of this session'},
    ),
    ...realFolder('/var/tmp').map((path): Mount => ({kind: 'fresh', path, why: TEMPORARY})),
    {kind: 'fresh', path: home, why: 'your home; new for each command'},
    ...(existsSync(settings) && !isWithin(settings, home)
      ? [{kind: 'empty', path: settings, why: 'settings and tokens of gemini'} as const]
      : []),
  ];
}

function visibleHome({home}: PlanParts): readonly Mount[] {
  return HOME_READ.map((name) => join(home, name))
    .filter(canRead)
    .map((path): Mount => ({kind: 'read', path, why: TOOLS}));
}

export function openRoots({roots}: Pick<PlanParts, 'roots'>, readOnly: string | undefined): readonly Mount[] {
  return outermost(roots).map((path) =>
    readOnly === undefined
      ? {kind: 'write', path, why: 'workspace'}
      : {kind: 'read', path, why: `workspace; ${readOnly}`},
  );
}

export function granted(grants: readonly Grant[]): readonly Mount[] {
  const mounts = (kind: 'read' | 'write'): readonly Mount[] =>
    grants.flatMap(({from, isExact, [kind]: paths = []}) =>
      paths.flatMap((path) => {
        const real = realOf(path);
        return real === undefined || (isExact && real !== path) ? [] : [{kind, path: real, why: from}];
      }),
    );
  return [...mounts('read'), ...mounts('write')];
}

export function protectRoots({roots, protected: found, made}: Held): readonly Mount[] {
  return outermost(roots).flatMap((root): readonly Mount[] => {
    const {repositories = [], pointers = []} = found.get(root) ?? {};
    const nearest = repositories.filter((path) => !isOurs(path)).toSorted((a, b) => a.length - b.length);
    return [
      ...nearest.slice(0, MOST_OPEN).flatMap((folder) => protectRepository(folder, root, made)),
      ...nearest
        .slice(MOST_OPEN)
        .map((path): Mount => ({kind: 'read', path, why: `more than ${MOST_OPEN} repositories`})),
      ...pointers.flatMap((path) => [...pinFile(path, root), ...openLinked(path, {roots, made})]),
      ...governing(roots, root, made),
    ];
  });
}

/** A file that says where the repository is cannot be replaced, nor can the folders above it. */
function pinFile(path: string, root: string): readonly Mount[] {
  if (!lstatSync(path, {throwIfNoEntry: false})?.isFile()) return [];
  return [
    ...ancestors(path, root).map((one): Mount => ({kind: 'write', path: one, why: 'it holds a repository'})),
    {kind: 'read', path, why: 'it says where git finds the repository'},
  ];
}

function governing(roots: readonly string[], outer: string, made: MadeNames): readonly Mount[] {
  return roots
    .filter((root) => isWithin(root, outer))
    .flatMap((root) => [...GOVERNING, '.git'].map((name) => join(root, name)))
    .filter((path) => !path.endsWith('.git') || !existsSync(path) || isOurs(path))
    .flatMap((path) => made.folder(path))
    .map(({path, isOurs: isEmpty}): Mount =>
      isEmpty
        ? {kind: 'empty', path, why: 'other programs would obey it'}
        : {kind: 'read', path: realpathSync(path), why: 'other programs obey it'},
    );
}

export function maskSecrets({roots, protected: found}: Held): readonly Mount[] {
  const secrets = [...found.values()].flatMap(({secrets}) => secrets);
  // What a link leads to is masked if a program could read it; elsewhere its own place decides.
  const real = secrets.flatMap((path) => realFile(path)).filter((path) => roots.some((root) => isWithin(path, root)));
  return [
    ...unique(real).map((path): Mount => ({kind: 'masked', path, why: 'a .env file holds secrets'})),
    ...SYSTEM_MASKED.filter(canRead).map((path): Mount => ({kind: 'masked', path, why: 'secrets of this machine'})),
  ];
}

export function maskSockets(
  hidden: readonly Mount[],
  open: readonly string[],
  inner: readonly Mount[],
): readonly Mount[] {
  const out = [...hidden.filter(({kind}) => kind !== 'read').map(({path}) => path), '/dev', '/proc'];
  const isSeen = (path: string): boolean =>
    inner.some((mount) => isWithin(path, mount.path)) || !out.some((one) => isWithin(path, one));
  return listeningSockets()
    .filter((path) => isSeen(path) && !open.some((one) => isWithin(path, one)))
    .map((path): Mount => ({kind: 'masked', path, why: 'a program listens behind this socket'}));
}

/** A path that is mounted twice in the same way is mounted once. */
function lastOfEach(mounts: readonly Mount[]): readonly Mount[] {
  const seen = new Set<string>();
  return mounts.filter(({kind, path}) => {
    const key = `${kind} ${path}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

/** The roots that lie in no other. */
export function outermost(roots: readonly string[]): readonly string[] {
  return unique(roots).filter((root) => !roots.some((other) => other !== root && isWithin(root, other)));
}

const unique = (paths: readonly string[]): readonly string[] => [...new Set(paths)];

function realFolder(path: string): readonly string[] {
  const real = realOf(path);
  return real !== undefined && lstatSync(real).isDirectory() ? [real] : [];
}

function realFile(path: string): readonly string[] {
  const real = realOf(path);
  return real !== undefined && lstatSync(real).isFile() ? [real] : [];
}

function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return false;
  }
}
