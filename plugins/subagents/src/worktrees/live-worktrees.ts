import {mkdir, realpath, rm, writeFile} from 'node:fs/promises';
import {dirname, join, resolve, sep} from 'node:path';
import {isFileFault, readText} from '@gemini-kernel/files';
import {KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {Worktree, WorktreeEnd, Worktrees, WorktreeState} from '../contract.js';
import {carryOver, digestOf} from './carried.js';
import {createGit, type Git} from './git.js';

/** What git keeps of a worktree, besides its own files, in its folder of the repository. */
interface Record {
  readonly base: string;
  /** Where in the repository the person works; ends with `/` unless empty. */
  readonly prefix: string;
  /** Of `.gemini` as it was carried over. */
  readonly carried: string;
}

const RECORD = 'gemini.json';
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|lock$|$)){0,63}$/;
const BETWEEN = `${sep}.gemini${sep}worktrees${sep}`;

/** Worktrees of the repository that a place is in. */
export class LiveWorktrees implements Worktrees {
  readonly #git: Git;
  /** Git changes a repository for one at a time. */
  #order: Promise<unknown> = Promise.resolve();

  constructor(private readonly context: Pick<ServiceContext, 'environment' | 'service' | 'signal'>) {
    this.#git = createGit(context.environment, context.signal);
  }

  make(name: string): Promise<Worktree> {
    return this.#inOrder(() => this.#make(name));
  }

  finish(tree: Worktree, message: string): Promise<WorktreeEnd> {
    return this.#inOrder(async () => {
      if ((await this.#state(tree)).uncommitted) await this.#commit(tree, message);
      return this.#end(tree);
    });
  }

  leave(tree: Worktree): Promise<WorktreeEnd> {
    return this.#inOrder(() => this.#end(tree));
  }

  list(): Promise<readonly WorktreeState[]> {
    return this.#inOrder(() => this.#list());
  }

  remove(name: string, discard: boolean): Promise<{readonly commit: string}> {
    return this.#inOrder(async () => {
      const tree = (await this.#list()).find((one) => one.name === name);
      if (!tree)
        throw new KernelError('WORKTREE_UNKNOWN', `There is no worktree "${name}" of this folder.`, {
          hint: '`gemini worktrees list` shows which there are.',
        });
      const {isMerged, uncommitted, others, branch} = tree;
      if (!discard && (!isMerged || uncommitted || others))
        throw new KernelError('WORKTREE_UNMERGED', `The worktree "${name}" has work that is in no other branch.`, {
          hint: `Merge it with \`git merge ${branch}\`, or use --discard.`,
        });
      if (uncommitted) await this.#commit(tree, `gemini: what was left in ${name}`);
      const commit = await this.#tip(tree);
      if (discard) await this.#git.run(await this.#base(), 'worktree', 'remove', '--force', tree.path);
      else await this.#removeClean(tree);
      await this.#git.run(await this.#base(), 'update-ref', '-d', `refs/heads/${branch}`, commit);
      return {commit};
    });
  }

  async #list(): Promise<readonly WorktreeState[]> {
    if ((await this.#git.ask(await this.#base(), 'rev-parse', '--git-dir')) === undefined) return [];
    const text = await this.#git.run(await this.#base(), 'worktree', 'list', '--porcelain', '-z');
    const folder = join(await this.#base(), '.gemini', 'worktrees');
    const paths = text.split('\0').flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));
    const states: WorktreeState[] = [];
    for (const path of paths.filter((one) => one.startsWith(folder + sep))) {
      const tree = await this.#read(path);
      if (tree) states.push(await this.#state(tree));
    }
    return states;
  }

  async #make(name: string): Promise<Worktree> {
    if (!NAME.test(name))
      throw new KernelError('WORKTREE_NAME', `${JSON.stringify(name.slice(0, 70))} cannot name a worktree.`, {
        hint: 'Use letters, digits, - and _.',
      });
    const base = await this.#base();
    const prefix = await this.#git.ask(base, 'rev-parse', '--show-prefix');
    if (prefix === undefined)
      throw new KernelError('WORKTREE_FAILED', `${base} is in no git repository, so it has no worktrees.`, {
        hint: 'Run `git init` and commit first.',
      });
    const commit = await this.#git.ask(base, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
    if (commit === undefined)
      throw new KernelError('WORKTREE_FAILED', `The repository of ${base} has no commit to start from.`);
    const {trusted, reason} = await (await this.context.service('trust')).state();
    // Filters that the configuration of a repository names run when files are checked out.
    if (!trusted) throw new KernelError('WORKTREE_FAILED', `No worktree is made in a folder without trust: ${reason}`);
    const path = join(await this.#folder(base), name);
    const branch = `worktree-${name}`;
    await this.#git.run(base, 'worktree', 'add', '--quiet', '--no-track', '-b', branch, path, commit.trim());
    const folder = join(path, prefix.trim());
    await mkdir(folder, {recursive: true});
    await carryOver(join(base, '.gemini'), join(folder, '.gemini'));
    const carried = await digestOf(join(folder, '.gemini'));
    const record: Record = {base: commit.trim(), prefix: prefix.trim(), carried};
    await writeFile(join(await this.#own(path), RECORD), JSON.stringify(record));
    return {name, path, folder, branch, base: record.base, isBehind: await this.#isDirty(base, '.')};
  }

  /** The folder in which worktrees are. It ignores itself, so that no commit and no search takes them in. */
  async #folder(base: string): Promise<string> {
    const folder = join(base, '.gemini', 'worktrees');
    await mkdir(folder, {recursive: true});
    if ((await realpath(folder)) !== folder)
      throw new KernelError('WORKTREE_FAILED', `${folder} is a link, so worktrees would be elsewhere.`);
    await writeFile(join(folder, '.gitignore'), '*\n');
    return folder;
  }

  /** Removes a worktree in which nothing happened; keeps any other. */
  async #end(tree: Worktree): Promise<WorktreeEnd> {
    const state = await this.#state(tree);
    const {commits, uncommitted, others} = state;
    const isKept = commits > 0 || uncommitted || others;
    if (!isKept) {
      await this.#removeClean(tree);
      await this.#git.run(await this.#base(), 'update-ref', '-d', `refs/heads/${tree.branch}`, tree.base);
      return {...state, isKept, diffStat: ''};
    }
    const diffStat = await this.#git.run(tree.path, 'diff', '--stat=100', '--no-ext-diff', tree.base, tree.branch);
    return {...state, isKept, diffStat: diffStat.trimEnd()};
  }

  /** Git itself refuses when there is something that no commit has. */
  async #removeClean(tree: Worktree): Promise<void> {
    const own = join(tree.folder, '.gemini');
    await rm(own, {recursive: true, force: true});
    if ((await this.#git.run(tree.path, 'ls-tree', '--name-only', 'HEAD', own)) !== '')
      await this.#git.run(tree.path, 'restore', '--source=HEAD', '--staged', '--worktree', '--', own);
    await this.#git.run(await this.#base(), 'worktree', 'remove', tree.path);
  }

  async #commit(tree: Worktree, message: string): Promise<void> {
    await this.#git.run(tree.path, 'add', '--all', '--', '.', exclude(tree));
    const known = await this.#git.ask(tree.path, 'var', 'GIT_COMMITTER_IDENT');
    const who = known === undefined ? ['-c', 'user.name=gemini', '-c', 'user.email=gemini@localhost'] : [];
    await this.#git.run(tree.path, ...who, 'commit', '--quiet', '--allow-empty', '--no-verify', '-m', message);
  }

  async #state(tree: Worktree): Promise<WorktreeState> {
    // Before git reads anything else there.
    const record = await this.#record(tree.path);
    const [uncommitted, ignored, count, tip, head] = [
      await this.#isDirty(tree.path, '.', exclude(tree)),
      await this.#git.run(
        tree.path,
        'ls-files',
        '-z',
        '--others',
        '--ignored',
        '--exclude-standard',
        '.',
        exclude(tree),
      ),
      await this.#git.run(tree.path, 'rev-list', '--count', `${tree.base}..${tree.branch}`),
      await this.#tip(tree),
      await this.#git.run(await this.#base(), 'rev-parse', 'HEAD'),
    ];
    const isMerged = (await this.#git.ask(tree.path, 'merge-base', '--is-ancestor', tip, head.trim())) !== undefined;
    const carried = await digestOf(join(tree.folder, '.gemini'));
    return {
      ...tree,
      commits: Number(count),
      uncommitted,
      others: ignored !== '' || carried !== record?.carried,
      isMerged,
    };
  }

  async #isDirty(folder: string, ...paths: readonly string[]): Promise<boolean> {
    return (await this.#git.run(folder, 'status', '--porcelain', '-z', '--', ...paths)) !== '';
  }

  async #tip({path, branch}: Worktree): Promise<string> {
    return (await this.#git.run(path, 'rev-parse', `refs/heads/${branch}`)).trim();
  }

  /**
   * What the repository keeps of a worktree. A file `.git` that leads elsewhere is not followed: what is there could
   * have git run programs. Throws KernelError WORKTREE_FAILED.
   */
  async #own(path: string): Promise<string> {
    const common = await this.#git.run(await this.#base(), 'rev-parse', '--path-format=absolute', '--git-common-dir');
    const pointer = /^gitdir: (.+)\n?$/.exec(await readText(join(path, '.git'), {limit: 4096}).catch(() => ''))?.[1];
    const own = pointer && (await realpath(resolve(path, pointer)).catch(() => undefined));
    if (own && dirname(own) === join(await realpath(common.trim()), 'worktrees')) return own;
    throw new KernelError(
      'WORKTREE_FAILED',
      `${path} is no longer a worktree of its repository: its .git was changed.`,
      {
        hint: 'Look at its files, and commit yourself what you want of them.',
      },
    );
  }

  async #read(path: string): Promise<Worktree | undefined> {
    const record = await this.#record(path).catch(() => undefined);
    const name = path.slice(path.lastIndexOf(sep) + 1);
    const branch = `worktree-${name}`;
    if (!record) return undefined;
    return {name, path, folder: join(path, record.prefix), branch, base: record.base, isBehind: false};
  }

  async #record(path: string): Promise<Record | undefined> {
    try {
      return JSON.parse(await readText(join(await this.#own(path), RECORD))) as Record;
    } catch (error) {
      if (error instanceof SyntaxError || isFileFault(error) || (error as NodeJS.ErrnoException).code === 'ENOENT')
        return undefined;
      throw error;
    }
  }

  /** The folder that the person works in; for a worktree of ours, the one that it belongs to. */
  async #base(): Promise<string> {
    const cwd = await realpath(this.context.environment.cwd);
    const at = cwd.indexOf(BETWEEN);
    return at < 0 ? cwd : cwd.slice(0, at);
  }

  #inOrder<T>(act: () => Promise<T>): Promise<T> {
    const acting = this.#order.then(act, act);
    this.#order = acting.catch(() => undefined);
    return acting;
  }
}

/** What was carried over is no part of the work. */
function exclude({path, folder}: Worktree): string {
  const inside = folder
    .slice(path.length + 1)
    .replaceAll('\\', '/')
    .replace(/\/$/, '');
  return `:(exclude,top)${inside === '' ? '' : `${inside}/`}.gemini`;
}
