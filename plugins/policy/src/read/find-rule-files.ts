import {realpathSync} from 'node:fs';
import {posix, win32, type PlatformPath} from 'node:path';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import type {Problem} from '../rule.js';
import {findInFolder, type Asked, type FoundFile} from './find-in-folder.js';
import type {NamedPath} from './named-paths.js';

export interface RulePlaces {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Holds the files of the default tier. */
  readonly defaults: string;
  /** The active extensions with the folders they are installed in. */
  readonly extensions: readonly {readonly name: string; readonly folder: string}[];
  /** Whether the working directory is trusted: its own rules count only then. */
  readonly isTrusted: boolean;
  readonly policyPaths: readonly NamedPath[];
  readonly adminPolicyPaths: readonly NamedPath[];
  /**
   * Files of bundles in force: the administrator's and the product's are of the administrator's tier, a person's of the
   * person's.
   */
  readonly bundles?: readonly Pick<ActiveBundle, 'name' | 'origin' | 'policies' | 'digests'>[];
  /** Something that an administrator owns here: then what others name for that tier only makes calls stricter. */
  readonly administrator?: string | undefined;
  /** In place of the system's folder for rules of the administrator. */
  readonly systemFolder?: string;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly problems: readonly Problem[];
  /** What others than the administrator named for that tier of a managed machine; these are among the problems too. */
  readonly inVain: readonly Problem[];
}

/** Where the administrator's rules are on this system. */
export function systemFolderOf(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/policies';
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\policies' : '/etc/gemini-cli/policies';
}

/**
 * Finds the rule files of every tier, weakest first, each once a tier. A folder counts with the `.toml` files that lie
 * directly in it. What a project names is of the workspace tier. What a person names for the administrator's tier only
 * makes calls stricter once an administrator owns anything. Every start waits for this, and synchronous looks are
 * several times quicker.
 */
export function findRuleFiles(places: RulePlaces): FoundFiles {
  const {platform, administrator} = places;
  const path = platform === 'win32' ? win32 : posix;
  const systemFolder = places.systemFolder ?? systemFolderOf(platform);
  const system = findInFolder({tier: 'admin', path: systemFolder, name: 'Admin', isOptional: true}, path);
  const asked: readonly Asked[] = [
    {tier: 'default', path: places.defaults, name: 'Default'},
    ...askExtensions(places, path),
    ...askProject(places, path),
    ...askPerson(places, path),
    ...askBundles(places),
    ...askAdministrator(places, path),
  ];
  const found = asked.map((one) => findInFolder(one, path));
  const inVain =
    administrator === undefined
      ? []
      : namedForAdmin(places)
          .filter((named) => isHeld(places, named))
          .map((named) => tellInVain(resolveIn(places, path, named), administrator));
  return {
    files: withoutTwins([...found.flatMap(({files}) => files), ...system.files]),
    problems: [...found, system].flatMap(({problems}) => problems).concat(inVain),
    inVain,
  };
}

function resolveIn({cwd, home}: RulePlaces, path: PlatformPath, named: NamedPath): string {
  return path.resolve(
    cwd,
    named.path.replace(/^~(?=$|[/\\])/, () => home),
  );
}

function askExtensions({extensions}: RulePlaces, path: PlatformPath): readonly Asked[] {
  return extensions.map(({name, folder}) => ({
    tier: 'extension',
    path: path.join(folder, 'policies'),
    name: `Extension (${name})`,
    isOptional: true,
  }));
}

/** The rules of a project, and what its settings name, count only where it is trusted. */
function askProject(places: RulePlaces, path: PlatformPath): readonly Asked[] {
  const {cwd, home, isTrusted, policyPaths, adminPolicyPaths} = places;
  if (!isTrusted) return [];
  const own: Asked = {
    tier: 'workspace',
    path: path.join(cwd, '.gemini', 'policies'),
    name: 'Workspace',
    isOptional: true,
  };
  const named = [...policyPaths, ...adminPolicyPaths]
    .filter(({origin}) => origin === 'project')
    .map((one): Asked => ({
      tier: 'workspace',
      path: resolveIn(places, path, one),
      name: 'Workspace',
      origin: one.origin,
    }));
  return realPathOf(cwd) === realPathOf(home) ? named : [own, ...named];
}

function askPerson(places: RulePlaces, path: PlatformPath): readonly Asked[] {
  const {home, policyPaths} = places;
  return [
    {tier: 'user', path: path.join(home, '.gemini', 'policies'), name: 'User', isOptional: true},
    ...policyPaths
      .filter(({origin}) => origin !== 'project')
      .map((named): Asked => ({
        tier: 'user',
        path: resolveIn(places, path, named),
        name: 'User',
        origin: named.origin,
      })),
  ];
}

function askBundles({bundles = []}: RulePlaces): readonly Asked[] {
  return bundles.flatMap(({name, origin, policies, digests}) =>
    policies.map((file): Asked => ({
      tier: origin === 'user' ? 'user' : 'admin',
      path: file,
      name: `Bundle (${name})`,
      ...(digests?.[file] === undefined ? {} : {digest: digests[file]}),
    })),
  );
}

/** What a person and an administrator name for the administrator's tier. */
function namedForAdmin({adminPolicyPaths}: RulePlaces): readonly NamedPath[] {
  return adminPolicyPaths.filter(({origin}) => origin !== 'project');
}

/** Whether what is named only makes calls stricter, for an administrator owns something here. */
function isHeld({administrator}: RulePlaces, {origin}: NamedPath): boolean {
  return administrator !== undefined && origin !== 'admin';
}

function askAdministrator(places: RulePlaces, path: PlatformPath): readonly Asked[] {
  return namedForAdmin(places).map((named) => ({
    tier: 'admin',
    path: resolveIn(places, path, named),
    name: 'Admin',
    origin: named.origin,
    ...(isHeld(places, named) ? {tightens: true} : {}),
  }));
}

/** The files of paths that a person names, as that person's own rules and nothing else. */
export function findNamedFiles(
  paths: readonly string[],
  platform: NodeJS.Platform,
): Pick<FoundFiles, 'files' | 'problems'> {
  const found = paths.map((path) =>
    findInFolder({tier: 'user', path, name: 'User', origin: 'flag'}, platform === 'win32' ? win32 : posix),
  );
  return {files: withoutTwins(found.flatMap(({files}) => files)), problems: found.flatMap(({problems}) => problems)};
}

/** The files of the default tier. */
export function findDefaultFiles(folder: string, platform: NodeJS.Platform): readonly FoundFile[] {
  return findInFolder({tier: 'default', path: folder, name: 'Default'}, platform === 'win32' ? win32 : posix).files;
}

function tellInVain(file: string, administrator: string): Problem {
  return {
    severity: 'warning',
    tier: 'admin',
    file,
    message: `These rules only make calls stricter, because this machine has an administrator (${administrator}).`,
    hint: 'Give them by --policy to use them as your own.',
  };
}

function withoutTwins(files: readonly FoundFile[]): readonly FoundFile[] {
  const seen = new Set<string>();
  const twins = files.map(({tier, file}) => `${tier} ${realPathOf(file)}`);
  return files.filter((_, index) => !seen.has(twins[index] ?? '') && seen.add(twins[index] ?? ''));
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // The reader of what has no real path reports it.
    return path;
  }
}
