import {readdirSync, realpathSync, statSync} from 'node:fs';
import {posix, win32, type PlatformPath} from 'node:path';
import type {ActiveBundle} from '@gemini-kernel/kernel';
import type {Explanation} from '@gemini-kernel/plugin-settings/contract';
import type {Problem, Tier} from '../rule.js';
import {systemCodeOf} from './system-code.js';

/** A file or folder with rules that a flag or a setting names. */
export interface NamedPath {
  readonly path: string;
  readonly origin: 'flag' | 'settings' | 'project';
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
  /** Files of bundles in force: the administrator's and the product's are of the administrator's tier, a person's of the person's. */
  readonly bundles?: readonly Pick<ActiveBundle, 'name' | 'origin' | 'policies'>[];
  /** In place of the system's folder for rules of the administrator. */
  readonly systemFolder?: string;
}

/** A file that is there, or was when somebody looked. */
export interface FoundFile {
  readonly tier: Tier;
  readonly file: string;
  readonly label: string;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly problems: readonly Problem[];
}

/** Where the administrator's rules are on this system. */
export function systemFolderOf(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/policies';
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\policies' : '/etc/gemini-cli/policies';
}

/** The paths that a setting names, each with who named it. */
export function namedPathsOf({layers}: Pick<Explanation, 'layers'>): readonly NamedPath[] {
  return layers.flatMap(({layer, value}) => {
    const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
    const origin = layer === 'flag' || layer === 'environment' ? 'flag' : layer === 'workspace' ? 'project' : 'settings';
    return paths.filter((path) => typeof path === 'string' && path !== '').map((path) => ({path: String(path), origin}));
  });
}

/**
 * Finds the rule files of every tier, weakest first, each once a tier. A folder counts with the `.toml` files that lie directly in it.
 * What a project names is of the workspace tier, and what others name for the administrator's tier counts only while the system's folder has no rules.
 * Every start waits for this, and synchronous looks are several times quicker.
 */
export function findRuleFiles(places: RulePlaces): FoundFiles {
  const {cwd, home, platform, defaults, extensions, isTrusted, policyPaths, adminPolicyPaths} = places;
  const path = platform === 'win32' ? win32 : posix;
  const resolve = (named: string): string => path.resolve(cwd, named.replace(/^~(?=$|[/\\])/, () => home));
  const isHome = realPathOf(cwd) === realPathOf(home);
  const fromProject = [...policyPaths, ...adminPolicyPaths].filter(({origin}) => origin === 'project');
  const systemFolder = places.systemFolder ?? systemFolderOf(platform);
  const system = findInFolder({tier: 'admin', path: systemFolder, name: 'Admin', isOptional: true}, path);
  const namedAdmin = adminPolicyPaths.filter(({origin}) => origin !== 'project');
  const asked: Asked[] = [
    {tier: 'default', path: defaults, name: 'Default'},
    ...extensions.map(({name, folder}) => ({tier: 'extension' as const, path: path.join(folder, 'policies'), name: `Extension (${name})`, isOptional: true})),
    ...(isTrusted && !isHome ? [{tier: 'workspace' as const, path: path.join(cwd, '.gemini', 'policies'), name: 'Workspace', isOptional: true}] : []),
    ...(isTrusted ? fromProject.map((named) => ({tier: 'workspace' as const, path: resolve(named.path), name: 'Workspace', origin: named.origin})) : []),
    {tier: 'user', path: path.join(home, '.gemini', 'policies'), name: 'User', isOptional: true},
    ...policyPaths.filter(({origin}) => origin !== 'project').map((named) => ({tier: 'user' as const, path: resolve(named.path), name: 'User', origin: named.origin})),
    ...(places.bundles ?? []).flatMap(({name, origin, policies}) => policies.map((file) => ({tier: origin === 'user' ? 'user' as const : 'admin' as const, path: file, name: `Bundle (${name})`}))),
    ...(system.files.length > 0 ? [] : namedAdmin.map((named) => ({tier: 'admin' as const, path: resolve(named.path), name: 'Admin', origin: named.origin}))),
  ];
  const found = asked.map((one) => findInFolder(one, path));
  const inVain = system.files.length === 0 ? [] : namedAdmin.map(({path: named}) => tellInVain(resolve(named), systemFolder));
  return {files: withoutTwins([...found.flatMap(({files}) => files), ...system.files]), problems: [...found, system].flatMap(({problems}) => problems).concat(inVain)};
}

interface Asked {
  readonly tier: Tier;
  readonly path: string;
  /** What its files are called by in front of their names. */
  readonly name: string;
  /** Whether it is all right that it does not exist. */
  readonly isOptional?: boolean;
  readonly origin?: NamedPath['origin'];
}

function findInFolder({tier, path, name, isOptional = false, origin}: Asked, {join, basename}: PlatformPath): FoundFiles {
  const found = (file: string): FoundFile => ({tier, file, label: `${name}: ${basename(file)}`});
  try {
    if (statSync(path).isFile()) return {files: [found(path)], problems: []};
    const names = readdirSync(path);
    return {files: names.filter((one) => one.endsWith('.toml')).sort().map((one) => found(join(path, one))), problems: []};
  } catch (error) {
    const code = systemCodeOf(error);
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    if (isMissing && isOptional) return {files: [], problems: []};
    const severity = isMissing && (origin === 'settings' || origin === 'project') ? 'warning' : 'error';
    const message = isMissing ? `There are no rules at ${path}.` : `The rules in ${path} cannot be read (${code}).`;
    const hint = origin === 'flag' ? 'Correct the path that was given.' : origin === undefined ? undefined : 'Correct or remove the path in the settings.';
    return {files: [], problems: [{severity, tier, file: path, message, ...(hint === undefined ? {} : {hint})}]};
  }
}

function tellInVain(file: string, systemFolder: string): Problem {
  return {severity: 'warning', tier: 'admin', file, message: `These rules are not used as an administrator's, because there are rules in ${systemFolder}.`, hint: 'Give them by --policy to use them as your own.'};
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
