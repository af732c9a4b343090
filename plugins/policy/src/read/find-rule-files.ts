import {lstatSync, readdirSync, realpathSync, statSync} from 'node:fs';
import {posix, win32, type PlatformPath} from 'node:path';
import type {ActiveBundle} from '@gemini-kernel/kernel';
import type {Explanation} from '@gemini-kernel/plugin-settings/contract';
import type {Problem, Tier} from '../rule.js';
import {systemCodeOf} from './system-code.js';

/** A file or folder with rules that a flag or a setting names. */
export interface NamedPath {
  readonly path: string;
  readonly origin: 'flag' | 'settings' | 'project' | 'admin';
}

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

/** A file that is there, or was when somebody looked. */
export interface FoundFile {
  readonly tier: Tier;
  readonly file: string;
  readonly label: string;
  /** As in `RuleSource`. */
  readonly tightens?: true;
  /** What its bytes must come to. */
  readonly digest?: string;
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

/** The paths that a setting names, each with who named it. */
export function namedPathsOf({layers}: Pick<Explanation, 'layers'>): readonly NamedPath[] {
  return layers.flatMap(({layer, value, managed}) => {
    const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
    const origin = managed
      ? 'admin'
      : layer === 'flag' || layer === 'environment'
        ? 'flag'
        : layer === 'workspace'
          ? 'project'
          : 'settings';
    return paths
      .filter((path) => typeof path === 'string' && path !== '')
      .map((path) => ({path: String(path), origin}));
  });
}

/**
 * Finds the rule files of every tier, weakest first, each once a tier. A folder counts with the `.toml` files that lie
 * directly in it. What a project names is of the workspace tier. What a person names for the administrator's tier only
 * makes calls stricter once an administrator owns anything. Every start waits for this, and synchronous looks are
 * several times quicker.
 */
export function findRuleFiles(places: RulePlaces): FoundFiles {
  const {cwd, home, platform, defaults, extensions, isTrusted, policyPaths, adminPolicyPaths, administrator} = places;
  const path = platform === 'win32' ? win32 : posix;
  const resolve = (named: string): string =>
    path.resolve(
      cwd,
      named.replace(/^~(?=$|[/\\])/, () => home),
    );
  const isHome = realPathOf(cwd) === realPathOf(home);
  const fromProject = [...policyPaths, ...adminPolicyPaths].filter(({origin}) => origin === 'project');
  const systemFolder = places.systemFolder ?? systemFolderOf(platform);
  const system = findInFolder({tier: 'admin', path: systemFolder, name: 'Admin', isOptional: true}, path);
  const namedAdmin = adminPolicyPaths.filter(({origin}) => origin !== 'project');
  const isHeld = ({origin}: NamedPath): boolean => administrator !== undefined && origin !== 'admin';
  const asked: Asked[] = [
    {tier: 'default', path: defaults, name: 'Default'},
    ...extensions.map(({name, folder}) => ({
      tier: 'extension' as const,
      path: path.join(folder, 'policies'),
      name: `Extension (${name})`,
      isOptional: true,
    })),
    ...(isTrusted && !isHome
      ? [{tier: 'workspace' as const, path: path.join(cwd, '.gemini', 'policies'), name: 'Workspace', isOptional: true}]
      : []),
    ...(isTrusted
      ? fromProject.map((named) => ({
          tier: 'workspace' as const,
          path: resolve(named.path),
          name: 'Workspace',
          origin: named.origin,
        }))
      : []),
    {tier: 'user', path: path.join(home, '.gemini', 'policies'), name: 'User', isOptional: true},
    ...policyPaths
      .filter(({origin}) => origin !== 'project')
      .map((named) => ({tier: 'user' as const, path: resolve(named.path), name: 'User', origin: named.origin})),
    ...(places.bundles ?? []).flatMap(({name, origin, policies, digests}) =>
      policies.map((file): Asked => ({
        tier: origin === 'user' ? 'user' : 'admin',
        path: file,
        name: `Bundle (${name})`,
        ...(digests?.[file] === undefined ? {} : {digest: digests[file]}),
      })),
    ),
    ...namedAdmin.map((named) => ({
      tier: 'admin' as const,
      path: resolve(named.path),
      name: 'Admin',
      origin: named.origin,
      ...(isHeld(named) ? {tightens: true as const} : {}),
    })),
  ];
  const found = asked.map((one) => findInFolder(one, path));
  const inVain =
    administrator === undefined
      ? []
      : namedAdmin.filter(isHeld).map((named) => tellInVain(resolve(named.path), administrator));
  return {
    files: withoutTwins([...found.flatMap(({files}) => files), ...system.files]),
    problems: [...found, system].flatMap(({problems}) => problems).concat(inVain),
    inVain,
  };
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

interface Asked {
  readonly tier: Tier;
  readonly path: string;
  /** What its files are called by in front of their names. */
  readonly name: string;
  /** Whether it may be missing; then it is a folder. */
  readonly isOptional?: boolean;
  readonly origin?: NamedPath['origin'];
  readonly tightens?: true;
  readonly digest?: string;
}

type Found = Pick<FoundFiles, 'files' | 'problems'>;

/**
 * What is named must be there, and what is there must be read whole: a rule that went missing would let more through.
 */
function findInFolder(
  {tier, path, name, isOptional = false, origin, tightens, digest}: Asked,
  {join, basename}: PlatformPath,
): Found {
  const found = (file: string): FoundFile => ({
    tier,
    file,
    label: `${name}: ${basename(file)}`,
    ...(tightens ? {tightens} : {}),
    ...(digest ? {digest} : {}),
  });
  const fail = (message: string): Found => ({
    files: [],
    problems: [{severity: 'error', tier, file: path, message, ...hintOf(origin)}],
  });
  try {
    const stats = statSync(path);
    if (stats.isFile() && !isOptional) return {files: [found(path)], problems: []};
    if (!stats.isDirectory())
      return fail(isOptional ? `${path} is not a folder.` : `${path} is neither a file nor a folder.`);
    return {
      files: readdirSync(path)
        .filter((one) => one.endsWith('.toml'))
        .sort()
        .map((one) => found(join(path, one))),
      problems: [],
    };
  } catch (error) {
    const code = systemCodeOf(error);
    if (isOptional && isNothing(path, {code, tier})) return {files: [], problems: []};
    return fail(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `There are no rules at ${path}.`
        : `The rules in ${path} cannot be read (${code}).`,
    );
  }
}

/**
 * Whether there is no folder, and no link in its place either. A project may have a file named .gemini; in the home
 * directory it hides rules.
 */
function isNothing(path: string, {code, tier}: {readonly code: string; readonly tier: Tier}): boolean {
  if (code === 'ENOTDIR') return tier !== 'user';
  return code === 'ENOENT' && lstatSync(path, {throwIfNoEntry: false}) === undefined;
}

function hintOf(origin: NamedPath['origin'] | undefined): Pick<Problem, 'hint'> {
  if (origin === undefined) return {};
  return {hint: origin === 'flag' ? 'Correct the path that was given.' : 'Correct or remove the path in the settings.'};
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
    // What has no real path is told about by whoever reads it.
    return path;
  }
}
