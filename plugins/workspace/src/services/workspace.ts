import {isAbsolute, resolve as absolutePath, sep} from 'node:path';
import {isToolError, KernelError, provide, ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {
  AccessOptions,
  AddResult,
  IgnoreOptions,
  IgnoreSources,
  IgnoreWalk,
  PathExplanation,
  PendingRoot,
  RemoveResult,
  Root,
  Workspace,
} from '../contract.js';
import {expandHome, findDirectories, refuseProblems, type FoundDirectory} from '../directory.js';
import {Ignoring} from '../ignoring.js';
import {KeptDirectories} from '../kept-directories.js';
import {outsideError} from '../outside-error.js';
import {findPathFault, realPathOf} from '../real-path.js';
import {Roots} from '../roots.js';
import {collectRoots, sortForeign} from '../starting-roots.js';
import {tellPending} from '../tell-pending.js';

type Scope = 'session' | 'project' | 'user';
type Source = 'session' | 'editor' | 'recorded';

/** The directories that tools may reach, for one session. */
export default provide('workspace', {
  version: '1.1.0',
  scope: 'session',
  // A walk has methods of its own.
  local: ['ignoreWalk'],
  methods: [
    ...(['roots', 'pending', 'resolve', 'confirm', 'allowReading', 'locate'] as const),
    ...(['explain', 'ignored', 'ignoreSources', 'add', 'remove'] as const),
  ],
  async create(context) {
    const found = await collectRoots(context);
    tellPending(found.pending, context);
    return new LiveWorkspace(context, found);
  },
});

class LiveWorkspace implements Workspace {
  readonly #context: ServiceContext;
  readonly #roots: Roots;
  /** Directories that can be read, and nothing more. */
  readonly #readable = new Roots();
  readonly #cwd: string;
  readonly #ignoring: Ignoring;
  readonly #kept: KeptDirectories;
  #lastAdd: Promise<unknown> = Promise.resolve();

  #pending: readonly PendingRoot[];

  constructor(context: ServiceContext, {cwd, roots, pending}: Awaited<ReturnType<typeof collectRoots>>) {
    this.#context = context;
    this.#roots = roots;
    this.#cwd = cwd;
    this.#pending = pending;
    this.#ignoring = new Ignoring(context, {cwd, roots});
    this.#kept = new KeptDirectories(context, cwd);
  }

  async roots(): Promise<readonly Root[]> {
    return this.#roots.list();
  }

  async pending(): Promise<readonly PendingRoot[]> {
    return this.#pending;
  }

  async resolve(given: string, options?: AccessOptions): Promise<string> {
    const {path} = await realPathOf(this.#absolute(given));
    if (!this.#isInside(path, options)) throw outsideError({given, real: path, roots: this.#roots.paths()});
    return path;
  }

  async confirm(
    path: string,
    identity: {readonly device: string; readonly inode: string},
    options?: AccessOptions,
  ): Promise<void> {
    const {isStillAt} = await import('../path-identity.js');
    const {platform} = this.#context.environment;
    if (this.#isInside(path, options) && (await isStillAt(path, identity, platform))) return;
    throw new ToolError('PATH_CHANGED', `${path} was replaced or moved while it was being opened.`, {
      hint: 'Try again; if it happens again, another program keeps changing that path.',
      data: {path},
    });
  }

  async allowReading(directory: string): Promise<void> {
    const {path} = await realPathOf(this.#absolute(directory));
    this.#readable.add({path, source: 'session'});
  }

  #isInside(path: string, {access = 'write'}: AccessOptions = {}): boolean {
    return [this.#roots, ...(access === 'read' ? [this.#readable] : [])].some((one) => one.holding(path) !== undefined);
  }

  locate(paths: readonly string[]): Promise<readonly string[]> {
    return Promise.all(
      paths.map(async (given) => {
        try {
          this.#absolute(given);
          // Resolved as the system does it: the text alone does not show what `..` after a link means.
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
    // A link may be ignored at its own path as well as at its target.
    const [asGiven, asReal] = await this.#ignoring.decide([absolute, real]);
    const ignoredBy = asGiven ?? asReal;
    return {given, real, exists, ...(root && {root}), ...(root && ignoredBy && {ignoredBy})};
  }

  async ignored(paths: readonly string[], options: IgnoreOptions = {}): Promise<readonly boolean[]> {
    // A separator at the end means a directory and saves a disk access, so it is kept.
    const absolute = paths.map((path) =>
      path.endsWith('/') || path.endsWith(sep) ? `${this.#absolute(path)}/` : this.#absolute(path),
    );
    return (await this.#ignoring.decide(absolute, options)).map((rule) => rule !== undefined);
  }

  ignoreWalk(options: IgnoreOptions = {}): Promise<IgnoreWalk> {
    return this.#ignoring.walk(options);
  }

  ignoreSources(root: string, options: IgnoreOptions = {}): Promise<IgnoreSources> {
    return this.#ignoring.sources(root, options);
  }

  add(
    paths: readonly string[],
    {scope, source = 'session'}: {readonly scope: Scope; readonly source?: Source},
  ): Promise<AddResult> {
    // One after the other: each reads the list that the previous one wrote.
    const adding = this.#lastAdd.then(() =>
      source === 'session' ? this.#add(paths, scope) : this.#join(paths, source),
    );
    this.#lastAdd = adding.catch(() => undefined);
    return adding;
  }

  async #add(paths: readonly string[], scope: Scope): Promise<AddResult> {
    this.#refuseWhenConfined(scope);
    const found = this.#find(paths, this.#context.environment.variables);
    const given = found.map(({path}) => path);
    const known = new Set(scope === 'session' ? this.#roots.paths() : await this.#kept.paths(scope));
    // The project is a root anyway; saved for the user, it would be one of every other project too.
    if (scope === 'project') known.add(this.#cwd);
    const fresh = found.filter(({path}) => !known.has(path));
    if (scope !== 'session' && fresh.length > 0) await this.#kept.add(fresh, scope);
    const isAsked = (path: string): boolean =>
      this.#pending.some((one) => one.path === path && one.wantedBy === 'project');
    await this.#kept.agree(given.filter((path) => scope === 'project' || isAsked(path)));
    const untrusted = scope === 'project' ? await this.#findUntrusted() : undefined;
    if (untrusted === undefined) {
      this.#pending = this.#pending.filter(({path}) => !given.includes(path));
      await this.#open(given, scope === 'session' ? 'session' : 'settings');
    }
    const present = given.filter((path) => known.has(path));
    const added = fresh.map(({path}) => path);
    return {added, present, directories: this.#roots.paths(), ...(untrusted === undefined ? {} : {untrusted})};
  }

  async remove(paths: readonly string[], {scope}: {readonly scope: 'project' | 'user'}): Promise<RemoveResult> {
    return this.#kept.remove(paths, scope);
  }

  /** The project's folder, when its settings do not count. */
  async #findUntrusted(): Promise<string | undefined> {
    const {names, service} = this.#context;
    // Without the trust plugin, nothing asks for it.
    if (names('trust').length === 0) return undefined;
    const trust = await service('trust');
    return (await trust.may('settings')) ? undefined : this.#cwd;
  }

  /** What no person named is added only where a person trusts it. */
  async #join(paths: readonly string[], source: Exclude<Source, 'session'>): Promise<AddResult> {
    this.#refuseWhenConfined('session');
    const by = source === 'editor' ? source : 'session';
    const given = this.#find(paths).map(({path}) => path);
    const present = given.filter((path) => this.#roots.has(path));
    const {open, pending} = await sortForeign(given, {roots: this.#roots, by}, this.#context);
    const fresh = pending.filter(({path}) => !this.#pending.some((one) => one.path === path));
    this.#pending = [...this.#pending, ...fresh];
    tellPending(fresh, this.#context);
    await this.#open(open, by);
    return {
      added: open.filter((path) => !present.includes(path)),
      present,
      directories: this.#roots.paths(),
      ...(pending.length > 0 ? {pending} : {}),
    };
  }

  /** Each real path once. What a person types may contain variables. */
  #find(paths: readonly string[], variables?: Readonly<Record<string, string | undefined>>): readonly FoundDirectory[] {
    const place = {home: this.#context.environment.home, from: this.#cwd};
    const {found, problems} = findDirectories(paths, variables ? {...place, variables} : place);
    const inside = this.#context.environment.variables['SANDBOX'];
    refuseProblems(problems, {container: inside === 'sandbox-exec' ? undefined : inside});
    return found.filter(({path}, index) => found.findIndex((one) => one.path === path) === index);
  }

  async #open(paths: readonly string[], source: Root['source']): Promise<void> {
    const isNew = paths.map((path) => this.#roots.add({path, source}));
    if (isNew.includes(true)) await this.#context.dispatch('workspace:changed', {directories: this.#roots.paths()});
  }

  #refuseWhenConfined(scope: Scope): void {
    const profile = this.#context.environment.variables['SEATBELT_PROFILE'] ?? '';
    if (!/^(?:restrictive|strict)-/.test(profile) || (scope !== 'session' && !this.#context.session.live)) return;
    throw new KernelError(
      'WORKSPACE_CONFINED',
      `The sandbox profile ${profile} fixes the directories at the start, so you cannot add any to this session.`,
      {
        hint: 'Restart with --include-directories <path>.',
      },
    );
  }

  #absolute(given: string): string {
    const {home, platform} = this.#context.environment;
    const fault = findPathFault(given, platform);
    if (fault === undefined) return absolutePath(this.#cwd, expandHome(given, home));
    throw new ToolError('PATH_INVALID', fault, {
      hint: 'Pass the path of a file or directory, absolute or relative to the current directory.',
    });
  }
}
