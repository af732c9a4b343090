import {statSync} from 'node:fs';
import {dirname, isAbsolute, resolve as absolutePath, sep} from 'node:path';
import {isToolError, KernelError, provide, ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {keepAgreed} from '../agreed-directories.js';
import type {AddResult, IgnoreOptions, IgnoreRule, IgnoreSources, IgnoreWalk, PathExplanation, PendingRoot, Root, Workspace} from '../contract.js';
import {expandHome, findDirectories, refuseProblems} from '../directory.js';
import type {IgnoreRules, IgnoreScope} from '../ignore-rules.js';
import {findPathFault, realPathOf} from '../real-path.js';
import {type Roots} from '../roots.js';
import {collectRoots, INCLUDE_DIRECTORIES, listOf, sortForeign} from '../starting-roots.js';
import {tellPending} from '../tell-pending.js';

type Scope = 'session' | 'project' | 'user';
type Source = 'session' | 'editor' | 'recorded';

const MOST_ROOTS_NAMED = 5;

/** The directories that tools may reach, for one session. */
export default provide('workspace', {
  version: '1.0.0',
  scope: 'session',
  async create(context) {
    const found = await collectRoots(context);
    tellPending(found.pending, context);
    return new LiveWorkspace(context, found);
  },
});

class LiveWorkspace implements Workspace {
  readonly #context: ServiceContext;
  readonly #roots: Roots;
  readonly #cwd: string;
  #ignoreRules: Promise<IgnoreRules> | undefined;
  #lastAdd: Promise<unknown> = Promise.resolve();

  #pending: readonly PendingRoot[];

  constructor(context: ServiceContext, {cwd, roots, pending}: Awaited<ReturnType<typeof collectRoots>>) {
    this.#context = context;
    this.#roots = roots;
    this.#cwd = cwd;
    this.#pending = pending;
  }

  async roots(): Promise<readonly Root[]> {
    return this.#roots.list();
  }

  async pending(): Promise<readonly PendingRoot[]> {
    return this.#pending;
  }

  async resolve(given: string): Promise<string> {
    const {path} = await realPathOf(this.#absolute(given));
    if (this.#roots.holding(path) === undefined) throw this.#outside(given, path);
    return path;
  }

  async confirm(path: string, identity: {readonly device: string; readonly inode: string}): Promise<void> {
    const {isStillAt} = await import('../path-identity.js');
    if (this.#roots.holding(path) !== undefined && (await isStillAt(path, identity, this.#context.environment.platform))) return;
    throw new ToolError('PATH_CHANGED', `${path} was replaced or moved while it was being opened.`, {
      hint: 'Try once more; if it happens again, something keeps changing that path.',
      data: {path},
    });
  }

  locate(paths: readonly string[]): Promise<readonly string[]> {
    return Promise.all(
      paths.map(async (given) => {
        try {
          this.#absolute(given);
          // As the system goes: what `..` after a link means is not to be seen from the text.
          const expanded = expandHome(given, this.#context.environment.home);
          return (await realPathOf(isAbsolute(expanded) ? expanded : `${this.#cwd}${sep}${expanded}`)).path;
        } catch (error) {
          if (isToolError(error)) return given;
          throw error;
        }
      }),
    );
  }

  async explain(given: string): Promise<PathExplanation> {
    const absolute = this.#absolute(given);
    const {path: real, exists} = await realPathOf(absolute);
    const root = this.#roots.holding(real);
    // A link may be ignored where it stands as well as where it leads.
    const [asGiven, asReal] = await this.#decidingRules([absolute, real]);
    const ignoredBy = asGiven ?? asReal;
    return {given, real, exists, ...(root && {root}), ...(root && ignoredBy && {ignoredBy})};
  }

  async ignored(paths: readonly string[], options: IgnoreOptions = {}): Promise<readonly boolean[]> {
    // A separator at the end says "a directory" and saves a look at the disk, so it is kept.
    const absolute = paths.map((path) => (path.endsWith('/') || path.endsWith(sep) ? `${this.#absolute(path)}/` : this.#absolute(path)));
    return (await this.#decidingRules(absolute, options)).map((rule) => rule !== undefined);
  }

  async ignoreWalk(options: IgnoreOptions = {}): Promise<IgnoreWalk> {
    const [rules, scope] = await Promise.all([this.#rules(), this.#ignoreScope(options)]);
    return rules.walk(scope);
  }

  async ignoreSources(root: string, options: IgnoreOptions = {}): Promise<IgnoreSources> {
    const [rules, scope] = await Promise.all([this.#rules(), this.#ignoreScope(options)]);
    return rules.sources(root, scope);
  }

  add(paths: readonly string[], {scope, source = 'session'}: {readonly scope: Scope; readonly source?: Source}): Promise<AddResult> {
    // One after the other: each reads the list that the one before has written.
    const adding = this.#lastAdd.then(() => (source === 'session' ? this.#add(paths, scope) : this.#join(paths, source)));
    this.#lastAdd = adding.catch(() => undefined);
    return adding;
  }

  async #add(paths: readonly string[], scope: Scope): Promise<AddResult> {
    this.#refuseWhenConfined(scope);
    const given = this.#find(paths);
    const kept = scope === 'session' ? [] : await this.#keptIn(scope);
    const known = new Set(scope === 'session' ? this.#roots.paths() : findDirectories(kept, this.#place).paths);
    // The project is a root of itself; kept for the user, it is one of every other project too.
    if (scope === 'project') known.add(this.#cwd);
    const added = given.filter((path) => !known.has(path));
    if (scope !== 'session' && added.length > 0) {
      const settings = await this.#context.service('settings');
      await settings.append(INCLUDE_DIRECTORIES, added, {scope});
    }
    await this.#agree(given.filter((path) => scope === 'project' || this.#pending.some((one) => one.path === path && one.wantedBy === 'project')));
    this.#pending = this.#pending.filter(({path}) => !given.includes(path));
    await this.#open(given, scope === 'session' ? 'session' : 'settings');
    return {added, present: given.filter((path) => known.has(path)), directories: this.#roots.paths()};
  }

  /** What no person named joins only where a person trusts it. */
  async #join(paths: readonly string[], source: Exclude<Source, 'session'>): Promise<AddResult> {
    this.#refuseWhenConfined('session');
    const by = source === 'editor' ? source : 'session';
    const given = this.#find(paths);
    const present = given.filter((path) => this.#roots.has(path));
    const {open, pending} = await sortForeign(given, {roots: this.#roots, by}, this.#context);
    const fresh = pending.filter(({path}) => !this.#pending.some((one) => one.path === path));
    this.#pending = [...this.#pending, ...fresh];
    tellPending(fresh, this.#context);
    await this.#open(open, by);
    return {added: open.filter((path) => !present.includes(path)), present, directories: this.#roots.paths(), ...(pending.length > 0 ? {pending} : {})};
  }

  get #place(): {readonly home: string; readonly from: string} {
    return {home: this.#context.environment.home, from: this.#cwd};
  }

  #find(paths: readonly string[]): readonly string[] {
    const {paths: found, problems} = findDirectories(paths, this.#place);
    refuseProblems(problems);
    return [...new Set(found)];
  }

  async #open(paths: readonly string[], source: Root['source']): Promise<void> {
    const isNew = paths.map((path) => this.#roots.add({path, source}));
    if (isNew.includes(true)) await this.#context.dispatch('workspace:changed', {directories: this.#roots.paths()});
  }

  /** A yes to what the project's settings ask for is kept in the person's own file. */
  async #agree(paths: readonly string[]): Promise<void> {
    const {environment, service} = this.#context;
    const outside = paths.filter((path) => path !== this.#cwd);
    if (outside.length > 0) await keepAgreed({files: await service('config-files'), environment, project: this.#cwd}, outside);
  }

  /** What that layer's own list names, as written but for variables. */
  async #keptIn(scope: 'project' | 'user'): Promise<readonly string[]> {
    const settings = await this.#context.service('settings');
    const {layers} = await settings.explain(INCLUDE_DIRECTORIES);
    return listOf(layers.find(({layer}) => layer === (scope === 'project' ? 'workspace' : 'user'))?.value);
  }

  #refuseWhenConfined(scope: Scope): void {
    const profile = this.#context.environment.variables['SEATBELT_PROFILE'] ?? '';
    if (!/^(?:restrictive|strict)-/.test(profile) || (scope !== 'session' && !this.#context.session.live)) return;
    throw new KernelError('WORKSPACE_CONFINED', `The sandbox profile ${profile} fixes the directories at the start, so none can be added to this session.`, {
      hint: 'Start again with --include-directories <path>.',
    });
  }

  #absolute(given: string): string {
    const {home, platform} = this.#context.environment;
    const fault = findPathFault(given, platform);
    if (fault === undefined) return absolutePath(this.#cwd, expandHome(given, home));
    throw new ToolError('PATH_INVALID', fault, {hint: 'Give the path of a file or directory, absolute or relative to the current directory.'});
  }

  #outside(given: string, real: string): ToolError {
    const roots = this.#roots.paths();
    const more = roots.length > MOST_ROOTS_NAMED ? ` and ${roots.length - MOST_ROOTS_NAMED} more` : '';
    const named = `${roots.slice(0, MOST_ROOTS_NAMED).join(', ')}${more}`;
    const place = given === real ? '' : ` Its real path is ${real}.`;
    const directory = directoryToAdd(real);
    return new ToolError('PATH_OUTSIDE_WORKSPACE', `${given} is outside the workspace.${place} Tools reach only ${named}.`, {
      hint: directory === undefined ? 'Use a path inside.' : `Use a path inside, or let the user run: gemini directory add ${quoted(directory)}`,
      data: {path: given, real, roots},
    });
  }

  async #decidingRules(paths: readonly string[], options: IgnoreOptions = {}): Promise<readonly (IgnoreRule | undefined)[]> {
    const [rules, scope] = await Promise.all([this.#rules(), this.#ignoreScope(options)]);
    return rules.decide(paths, scope);
  }

  #rules(): Promise<IgnoreRules> {
    this.#ignoreRules ??= import('../ignore-rules.js').then(({IgnoreRules}) => new IgnoreRules(this.#context.environment));
    return this.#ignoreRules;
  }

  async #ignoreScope(options: IgnoreOptions): Promise<IgnoreScope> {
    const settings = await this.#context.service('settings');
    const [git, gemini, custom] = await Promise.all([
      settings.get('context.fileFiltering.respectGitIgnore'),
      settings.get('context.fileFiltering.respectGeminiIgnore'),
      settings.get('context.fileFiltering.customIgnoreFilePaths'),
    ]);
    const {home} = this.#context.environment;
    return {
      roots: this.#roots,
      git: options.git ?? git !== false,
      gemini: options.gemini ?? gemini !== false,
      custom: listOf(custom).map((file) => absolutePath(this.#cwd, expandHome(file, home))),
    };
  }
}

/** The least that would have to be added for a path to be reached; never everything there is. */
function directoryToAdd(real: string): string | undefined {
  const directory = isDirectory(real) ? real : dirname(real);
  return dirname(directory) === directory ? undefined : directory;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // What cannot be looked at is named by the directory it would be in.
    return false;
  }
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : JSON.stringify(path);
}
