import {realpathSync} from 'node:fs';
import {posix, win32} from 'node:path';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import type {Environment} from '@gemini-kernel/kernel';
import type {ConfigFiles, Settings} from '@gemini-kernel/plugin-settings/contract';
import {systemFolderOf} from './read/find-rule-files.js';
import {namedPathsOf} from './read/named-paths.js';
import {escapeGlob} from './read/path-pattern.js';
import {isTable} from './read/rule-keys.js';
import type {BroughtRules} from './contract.js';
import type {CheckerProgram} from './checkers/external.js';
import {findCheckerPrograms} from './approval-mode.js';
import type {Rule} from './rule.js';

interface Sources {
  readonly environment: Pick<Environment, 'cwd' | 'home' | 'temporary' | 'platform' | 'cacheDir' | 'variables'>;
  /** Undefined where the host installs nothing. */
  readonly installs: InstallPlaces | undefined;
  readonly settings: Settings;
  readonly configFiles: Pick<ConfigFiles, 'readJSON'>;
  /** What extensions bring, from where they are. */
  readonly brought: readonly Pick<BroughtRules, 'folder'>[];
}

/** Variables that name a file or folder which decides something. */
const VARIABLES = [
  'GEMINI_CLI_TRUSTED_FOLDERS_PATH',
  'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
  'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
];

/**
 * Every file and folder that a start reads or obeys, outside the program's own folder and a project's ordinary files:
 * where they are in
 * this run, since variables and settings move them. A test holds the list against what starts really read.
 */
export async function findOwnPlaces(sources: Sources): Promise<readonly string[]> {
  const {environment, settings, installs} = sources;
  const {cwd, home, temporary, platform, cacheDir, variables} = environment;
  const {dirname, join, resolve} = platform === 'win32' ? win32 : posix;
  const named = (await Promise.all(['policyPaths', 'adminPolicyPaths'].map((key) => settings.explain(key))))
    .flatMap(namedPathsOf)
    .map(({path}) => path);
  const programs = Object.values(await findCheckerPrograms(settings)).flatMap(filesOf);
  const moved = VARIABLES.flatMap((name) => variables[name] ?? []);
  return [
    join(home, '.gemini'),
    join(cwd, '.gemini'),
    // Skills and agents that several programs share.
    join(home, '.agents'),
    join(home, '.claude', 'agents'),
    join(cwd, '.agents'),
    join(cwd, '.claude', 'agents'),
    ...sources.brought.map(({folder}) => folder),
    cacheDir,
    dirname(systemFolderOf(platform)),
    ...(installs ? installFolders(installs, dirname) : []),
    ...[...named, ...programs, ...moved].map((path) =>
      resolve(
        cwd,
        path.replace(/^~(?=$|[/\\])/, () => home),
      ),
    ),
    // What editors leave there says whom the program connects to.
    join(temporary, 'gemini', 'ide'),
    ...configFolders(environment),
    ...(await findLinked(sources)),
  ];
}

/** The data of the person and of the administrator: lock, store, bundles, rules, and what is compiled from them. */
function installFolders({user, project, system}: InstallPlaces, dirname: (path: string) => string): readonly string[] {
  return [
    ...[dirname(user.lock), user.store, user.bundles],
    dirname(project.lock),
    ...[dirname(system.lock), system.rules, dirname(system.store), system.bundles],
  ];
}

/** Where the library of commands looks for its own configuration. */
function configFolders({home, platform, variables}: Sources['environment']): readonly string[] {
  const {join} = platform === 'win32' ? win32 : posix;
  const given = [variables['GEMINI_CONFIG_DIR'], variables['GEMINI_CACHE_DIR']].flatMap((folder) => folder || []);
  const base =
    variables['XDG_CONFIG_HOME'] ||
    (platform === 'win32' ? variables['LOCALAPPDATA'] : undefined) ||
    join(variables['HOME'] || variables['USERPROFILE'] || home, '.config');
  return [...given, join(base, 'gemini')];
}

/** The program of a checker, and its arguments that are files, such as a script. */
function filesOf({command, args = []}: CheckerProgram): readonly string[] {
  return [command, ...args].filter((word) => /[/\\]/.test(word) && !/^[-{[]/.test(word));
}

/** The folders of linked plugins, whose code loads as it is. */
async function findLinked({installs, configFiles}: Sources): Promise<readonly string[]> {
  if (!installs) return [];
  const locks = await Promise.all(
    [installs.user.lock, installs.system.lock].map((lock) => configFiles.readJSON(lock).catch(() => undefined)),
  );
  return locks
    .flatMap((lock) => (isTable(lock?.['plugins']) ? Object.values(lock['plugins']) : []))
    .flatMap((plugin) => {
      const source = isTable(plugin) && isTable(plugin['source']) ? plugin['source'] : {};
      return source['type'] === 'link' && typeof source['location'] === 'string' ? [source['location']] : [];
    });
}

/** The rule that asks, in every mode, before a call writes to one of these places, or replaces a folder above one. */
export function ownPlacesRule(places: readonly string[], {home}: Pick<Environment, 'home'>): Rule {
  const all = [...new Set(places.flatMap((place) => [place, realOf(place)]).map(slashed))].filter(
    (place) => place !== '/',
  );
  const own = new Set([home, realOf(home)].map((folder) => `${slashed(folder)}/.gemini`));
  return {
    id: 'own-places',
    description: 'What gemini itself reads and obeys: settings, rules, trust, sessions, plugins, bundles and caches.',
    source: {tier: 'default', label: 'built in'},
    decision: 'ask',
    priority: 995,
    tools: ['*'],
    effect: ['edit', 'delete', 'move'],
    path: all.flatMap((place) =>
      own.has(place) ? globsBesidePlans(escapeGlob(place)) : [escapeGlob(place), `${escapeGlob(place)}/**`],
    ),
    holds: all,
    allowRedirection: false,
    sensitive: true,
  };
}

/**
 * Everything in a `.gemini` of a home directory but plans, which nothing obeys: `.md` files in `tmp/<project>/plans`
 * and `tmp/<project>/<session>/plans`.
 */
function globsBesidePlans(folder: string): readonly string[] {
  const tmp = `${folder}/tmp`;
  return [
    folder,
    `${folder}/!(tmp)`,
    `${folder}/!(tmp)/**`,
    tmp,
    `${tmp}/*`,
    `${tmp}/*/*`,
    ...['*', '*/!(plans)'].flatMap((project) => [
      `${tmp}/${project}/plans`,
      `${tmp}/${project}/plans/!(*.md)`,
      `${tmp}/${project}/plans/*/**`,
    ]),
    `${tmp}/*/!(plans)/!(plans)`,
    `${tmp}/*/!(plans)/!(plans)/**`,
  ];
}

/** Where a path leads; one that is not there yet hangs on what there is. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const {dirname, basename, join} = path.includes('\\') ? win32 : posix;
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
