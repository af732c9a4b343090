import {existsSync, realpathSync} from 'node:fs';
import {join, sep} from 'node:path';
import {writeHint} from '@gemini-kernel/files/writing';
import {KernelError, messageOf, provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {Project, ProjectFolder} from '../project.js';
import {adoptOlder, claimSlug, findMarked, isOurs, mark, ownerOf} from '../project-markers.js';
import {readRegistry, spellRoot} from '../project-registry.js';
import {systemCode} from '../real-path.js';

/** The folder of the project that the program was started in, one per program. */
export default provide('project', {
  version: '1.0.0',
  scope: 'place',
  methods: ['find', 'claim'],
  create: (context) => new ProjectFolders(context),
});

class ProjectFolders implements Project {
  readonly #context: Pick<ServiceContext, 'environment' | 'signal' | 'tell'>;
  readonly #registry: string;
  /** Folders with one folder per project: temporary files, and history. */
  readonly #places: readonly [string, string];
  #claimed: Promise<ProjectFolder> | undefined;
  #hash: Promise<string> | undefined;

  constructor(context: ServiceContext) {
    this.#context = context;
    const base = join(context.environment.home, '.gemini');
    this.#registry = join(base, 'projects.json');
    this.#places = [join(base, 'tmp'), join(base, 'history')];
  }

  async find(): Promise<ProjectFolder | undefined> {
    const slug = this.#known() ?? (await findMarked(this.#places, this.#key));
    if (slug !== undefined) return this.#folder(slug);
    // A release without short names used the hash as one.
    const hash = await this.#hashed();
    return existsSync(join(this.#places[0], hash)) ? this.#folder(hash) : undefined;
  }

  async claim(): Promise<ProjectFolder> {
    this.#claimed ??= this.#claim();
    try {
      return await this.#claimed;
    } catch (error) {
      this.#claimed = undefined;
      throw error;
    }
  }

  async #claim(): Promise<ProjectFolder> {
    const known = this.#known();
    if (known !== undefined && this.#places.every((place) => ownerOf(join(place, known)) === this.#key))
      return this.#folder(known);
    try {
      const {withRegistryLock} = await import('../registry-lock.js');
      const slug = await withRegistryLock(this.#registry, this.#context.signal, () => this.#register());
      if (slug !== undefined) return await this.#folder(slug);
    } catch (cause) {
      this.#context.signal.throwIfAborted();
      if (systemCode(cause) === undefined) throw cause;
      throw this.#unwritable(messageOf(cause), cause);
    }
    throw this.#unwritable(`another process has held ${this.#registry}.lock for ten seconds`);
  }

  /** Under the lock, take in what other processes have written meanwhile. */
  async #register(): Promise<string> {
    const registry = readRegistry(this.#registry);
    const projects = 'fault' in registry ? {} : registry.projects;
    const known = this.#known();
    const slug =
      known ??
      (await findMarked(this.#places, this.#key)) ??
      (await claimSlug(this.#places, this.#key, new Set(Object.values(projects))));
    if (slug === undefined) throw this.#unwritable('the markers of the existing projects cannot be read');
    await mark(this.#places, slug, this.#key);
    const hash = await this.#hashed();
    for (const place of this.#places) await adoptOlder(place, hash, slug);
    // Only the markers hold the name while the registry is unusable; they restore it later.
    if ('fault' in registry || known !== undefined) return slug;
    const {addProject} = await import('../add-project.js');
    await addProject(this.#registry, registry, {root: this.#key, slug});
    return slug;
  }

  /** The short name from the registry, unless the folders on disk belong to another project. */
  #known(): string | undefined {
    const registry = readRegistry(this.#registry);
    if ('fault' in registry) {
      this.#context.tell({
        code: 'PROJECTS_UNREADABLE',
        sentence:
          `${this.#registry} ${registry.fault}. It is not changed; projects are found by the markers in ` +
          'their folders.',
        once: 'registry',
      });
      return undefined;
    }
    const slug = Object.hasOwn(registry.projects, this.#key) ? registry.projects[this.#key] : undefined;
    return slug !== undefined && isOurs(this.#places, slug, this.#key) ? slug : undefined;
  }

  get #root(): string {
    const {cwd} = this.#context.environment;
    try {
      return withoutWorktree(realpathSync(cwd));
    } catch {
      // A directory that was deleted meanwhile is still the one that was meant.
      return cwd;
    }
  }

  get #key(): string {
    return spellRoot(this.#root, this.#context.environment.platform);
  }

  #hashed(): Promise<string> {
    return (this.#hash ??= import('node:crypto').then(({createHash}) =>
      createHash('sha256').update(this.#root).digest('hex'),
    ));
  }

  async #folder(slug: string): Promise<ProjectFolder> {
    const [temporary, history] = this.#places;
    return {
      root: this.#root,
      slug,
      hash: await this.#hashed(),
      temporary: join(temporary, slug),
      history: join(history, slug),
    };
  }

  #unwritable(reason: string, cause?: unknown): KernelError {
    return new KernelError(
      'PROJECT_UNWRITABLE',
      `Cannot create a folder for this project in ${this.#places[0]}: ${reason}.`,
      {
        cause,
        hint: writeHint(cause, 'Make that directory writable for you, or set GEMINI_CLI_HOME to a directory that is.'),
      },
    );
  }
}

/** A worktree that gemini made belongs to the project that it was made for: there are the sessions of its agents. */
function withoutWorktree(path: string): string {
  const [project = path] = path.split(`${sep}.gemini${sep}worktrees${sep}`);
  return project === '' ? path : project;
}
