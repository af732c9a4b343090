import {dirname, join, sep} from 'node:path';
import type {Tell} from '@gemini-kernel/kernel';
import type {IgnoreRule, IgnoreSources, IgnoreWalk} from './contract.js';
import {decidingLine, ignoring, type RuleList} from './deciding-line.js';
import {IgnoreFiles, type Rule} from './ignore-file.js';
import {repositoryAround, repositoryAt, type Repository} from './repository.js';
import type {Roots} from './roots.js';
import {statsOf} from './stats.js';

/** Where and by which files to decide. */
export interface IgnoreScope {
  readonly roots: Roots;
  readonly git: boolean;
  readonly gemini: boolean;
  /** Absolute paths of further ignore files, strongest first. */
  readonly custom: readonly string[];
}

/** What applies to the entries of one directory; lists are weakest first. */
interface Folder {
  /** Set when the directory is ignored, and with it everything in it. */
  readonly ignoredBy?: IgnoreRule;
  readonly repository?: Repository | undefined;
  readonly git: readonly RuleList[];
  readonly own: readonly RuleList[];
}

// It is in no root: nothing is ignored there.
const OUTSIDE: Folder = {git: [], own: []};

type ListPlace = Pick<RuleList, 'base' | 'ignoreCase'> & {readonly followsLink: boolean};

/**
 * Decides what is ignored, as `git check-ignore --no-index` does, with .geminiignore and custom files on top. One
 * difference from git: a root is never ignored as a whole, because it was requested.
 */
export class IgnoreRules {
  readonly #files: IgnoreFiles;
  readonly #platform: NodeJS.Platform;

  constructor({tell, platform}: {readonly tell: Tell; readonly platform: NodeJS.Platform}) {
    this.#files = new IgnoreFiles(tell);
    this.#platform = platform;
  }

  /** For each absolute path (with a separator at its end: a directory) the line that ignores it, or undefined. */
  decide(paths: readonly string[], options: IgnoreScope): Promise<readonly (IgnoreRule | undefined)[]> {
    const decision = new Decision(this.#files, this.#platform, options);
    return Promise.all(paths.map((path) => decision.of(path)));
  }

  /** The same answers, entry by entry of a tree that is walked from the top. */
  walk(options: IgnoreScope): IgnoreWalk {
    const decision = new Decision(this.#files, this.#platform, options);
    return {
      entries: async (directory, entries) =>
        (await decision.ofEntries(directory, entries)).map((rule) => rule !== undefined),
    };
  }

  /** The sources of those answers below a root. */
  sources(root: string, options: IgnoreScope): Promise<IgnoreSources> {
    return new Decision(this.#files, this.#platform, options).sources(root);
  }
}

/** One query; what it caches about directories lasts no longer. */
class Decision {
  readonly #folders = new Map<string, Promise<Folder>>();
  /** Directories without an ignore file and without a repository. */
  readonly #plain = new Set<string>();

  constructor(
    readonly files: IgnoreFiles,
    readonly platform: NodeJS.Platform,
    readonly options: IgnoreScope,
  ) {}

  async of(given: string): Promise<IgnoreRule | undefined> {
    const isDirectory = given.length > 1 && (given.endsWith('/') || given.endsWith(sep));
    const path = isDirectory ? given.slice(0, -1) : given;
    if (this.options.roots.has(path)) return undefined;
    const folder = await this.#folder(dirname(path));
    if (folder === OUTSIDE) return undefined;
    if (folder.ignoredBy !== undefined) return folder.ignoredBy;
    const line = decidingLine(folder, path, isDirectory || undefined);
    return ignoring(
      line === 'unknown'
        ? decidingLine(folder, path, (await statsOf(path, {followsLink: false}))?.isDirectory() === true)
        : line,
    );
  }

  async ofEntries(
    directory: string,
    entries: readonly {readonly name: string; readonly isDirectory: boolean}[],
  ): Promise<readonly (IgnoreRule | undefined)[]> {
    if (!entries.some(({name}) => name === '.git' || name === '.gitignore')) this.#plain.add(directory);
    const folder = await this.#folder(directory);
    this.#plain.delete(directory);
    if (folder === OUTSIDE) return entries.map(() => undefined);
    return entries.map(({name, isDirectory}) => {
      const path = join(directory, name);
      return isDirectory && this.options.roots.has(path)
        ? undefined
        : (folder.ignoredBy ?? ignoring(decidingLine(folder, path, isDirectory)));
    });
  }

  async sources(root: string): Promise<IgnoreSources> {
    const {repository, git, own} = await this.#rootFolder(root);
    const isOdd = (rules: readonly Rule[]): boolean => rules.some(({pattern}) => /[{}]|\[:/.test(pattern));
    const hasOddLines = git.some(({file, rules}) => this.files.isOdd(file) || isOdd(rules));
    const lines = own.flatMap(({base, ignoreCase, rules}) =>
      rules.map(({pattern, isNegated}) => ({base, pattern, isNegated, ignoreCase})),
    );
    return {git: this.options.git, ignoreCase: repository?.ignoreCase ?? false, hasOddLines, own: lines};
  }

  #folder(directory: string): Promise<Folder> {
    const known = this.#folders.get(directory);
    if (known !== undefined) return known;
    const folder = this.options.roots.has(directory) ? this.#rootFolder(directory) : this.#innerFolder(directory);
    this.#folders.set(directory, folder);
    return folder;
  }

  async #rootFolder(root: string): Promise<Folder> {
    const [repository, own] = await Promise.all([
      this.options.git ? repositoryAround(root) : undefined,
      this.#ownLists(root),
    ]);
    return {repository, own, git: repository === undefined ? [] : await this.#gitLists(repository, root)};
  }

  async #innerFolder(directory: string): Promise<Folder> {
    const above = dirname(directory);
    const parent = above === directory ? OUTSIDE : await this.#folder(above);
    if (parent === OUTSIDE || parent.ignoredBy !== undefined) return parent;
    const ignoredBy = ignoring(decidingLine(parent, directory, true));
    if (ignoredBy !== undefined) return {...parent, ignoredBy};
    if (!this.options.git || this.#plain.has(directory)) return parent;
    const {repository} = parent;
    const [inner, list] = await Promise.all([
      repositoryAt(directory),
      repository && this.#gitIgnore(directory, repository),
    ]);
    if (inner !== undefined) return {...parent, repository: inner, git: await this.#gitLists(inner, directory)};
    return list === undefined || list.rules.length === 0 ? parent : {...parent, git: [...parent.git, list]};
  }

  /** `info/exclude` and the `.gitignore` files from the top of the repository down to a directory. */
  async #gitLists(repository: Repository, directory: string): Promise<readonly RuleList[]> {
    const {root, ignoreCase, excludeFile} = repository;
    const exclude = this.#list(excludeFile, {base: root, ignoreCase, followsLink: true});
    const levels = [directory];
    for (let level = directory; level !== root; levels.unshift(level)) level = dirname(level);
    const lists = await Promise.all([exclude, ...levels.map((level) => this.#gitIgnore(level, repository))]);
    return lists.filter(({file, rules}) => rules.length > 0 || this.files.isOdd(file));
  }

  #gitIgnore(directory: string, {ignoreCase}: Repository): Promise<RuleList> {
    return this.#list(join(directory, '.gitignore'), {base: directory, ignoreCase, followsLink: false});
  }

  /**
   * The `.geminiignore` of every enclosing root, innermost strongest, then the custom files, in every enclosing root.
   */
  async #ownLists(root: string): Promise<readonly RuleList[]> {
    const around = rootsAround(root, this.options.roots);
    const ignoreCase = foldsCase(this.platform);
    const gemini = this.options.gemini
      ? around.map((base) => this.#list(join(base, '.geminiignore'), {base, ignoreCase, followsLink: true}))
      : [];
    const custom = [...this.options.custom]
      .reverse()
      .flatMap((file) => around.map((base) => this.#customList(file, {base, ignoreCase, followsLink: true})));
    const lists = await Promise.all([...gemini, ...custom]);
    return lists.filter(({rules}) => rules.length > 0);
  }

  async #customList(file: string, place: ListPlace): Promise<RuleList> {
    const list = await this.#list(file, place);
    if (list.rules.length === 0 && (await statsOf(file)) === undefined) {
      this.files.complain(`The ignore file ${file}, named by context.fileFiltering.customIgnoreFilePaths, is missing.`);
    }
    return list;
  }

  async #list(file: string, {base, ignoreCase, followsLink}: ListPlace): Promise<RuleList> {
    return {file, base, ignoreCase, rules: await this.files.read(file, {ignoreCase, followsLink})};
  }
}

/** A root and the roots that contain it, outermost first. */
function rootsAround(root: string, roots: Roots): readonly string[] {
  const found = [root];
  for (let current = root, parent = dirname(root); parent !== current; current = parent, parent = dirname(current)) {
    if (roots.has(parent)) found.unshift(parent);
  }
  return found;
}

/** Whether file systems of this platform usually ignore case in names. */
function foldsCase(platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32';
}
