import {mkdir, realpath, rm} from 'node:fs/promises';
import {basename, join, sep} from 'node:path';
import {createGit, type Git} from '@gemini-kernel/files/sources';
import {KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {Worktree, WorktreeEnd, Worktrees, WorktreeState} from '../contract.js';
import {carryOver, digestOf, exclude} from './carried.js';
import {baseOf} from './base-of.js';
import {
  carryAgain,
  ownFolder,
  pathsBelow,
  prepareFolder,
  readRecord,
  readTree,
  writeRecord,
  type Repository,
} from './record.js';
import {hasSession, noteSession} from './noted-sessions.js';
import {Uses} from './uses.js';

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|lock$|$)){0,63}$/;

/** Worktrees of the repository that a place is in. */
export class LiveWorktrees implements Worktrees {
  readonly #git: Git;
  readonly #uses = new Uses();
  /** Git changes a repository for one at a time. */
  #order: Promise<unknown> = Promise.resolve();

  constructor(private readonly context: Pick<ServiceContext, 'environment' | 'service' | 'signal'>) {
    const {environment, signal} = context;
    const failed = (message: string): Error => new KernelError('WORKTREE_FAILED', message);
    const missing = (): Error => failed('Worktrees need git, which is in no folder of PATH.');
    this.#git = createGit({...environment, signal, failed, missing});
  }

  make(name: string): Promise<Worktree> {
    return this.#inOrder(() => this.#make(name));
  }

  enter(name: string): Promise<Worktree> {
    return this.#inOrder(async () => {
      const base = await this.#base();
      const path = join(base, '.gemini', 'worktrees', name);
      const known = NAME.test(name) && (await pathsBelow(await this.#repository())).includes(path);
      const tree = known ? await readTree(await this.#repository(), path) : undefined;
      if (!tree) return this.#make(name);
      await this.#requireTrust();
      await this.#uses.begin(tree, await ownFolder(await this.#repository(), path));
      await carryAgain(await this.#repository(), tree);
      return tree;
    });
  }

  finish(tree: Worktree, message: string): Promise<WorktreeEnd> {
    return this.#ending(tree, async () => {
      if ((await this.#state(tree)).uncommitted) await this.#commit(tree, message);
    });
  }

  leave(tree: Worktree): Promise<WorktreeEnd> {
    return this.#ending(tree, () => Promise.resolve());
  }

  list(): Promise<readonly WorktreeState[]> {
    return this.#inOrder(() => this.#list());
  }

  async note(session: string): Promise<void> {
    const repository = await this.#repository();
    const cwd = await realpath(this.context.environment.cwd);
    const path = (await pathsBelow(repository)).find((one) => cwd === one || cwd.startsWith(one + sep));
    if (path !== undefined) await noteSession(await ownFolder(repository, path), session);
  }

  async find(session: string): Promise<string | undefined> {
    const repository = await this.#repository();
    for (const path of await pathsBelow(repository)) {
      const own = await ownFolder(repository, path).catch(() => undefined);
      if (own !== undefined && (await hasSession(own, session))) return basename(path);
    }
    return undefined;
  }

  remove(name: string, discard: boolean): Promise<{readonly commit: string}> {
    return this.#inOrder(async () => {
      const tree = (await this.#list()).find((one) => one.name === name);
      if (!tree)
        throw new KernelError('WORKTREE_UNKNOWN', `There is no worktree "${name}" of this folder.`, {
          hint: '`gemini worktrees list` shows which there are.',
        });
      await this.#uses.check(tree, await ownFolder(await this.#repository(), tree.path));
      const {isMerged, uncommitted, others, branch} = tree;
      if (!discard && (!isMerged || uncommitted || others))
        throw new KernelError('WORKTREE_UNMERGED', `The worktree "${name}" has work that is in no other branch.`, {
          hint: `Merge it with \`git merge ${branch}\`, or use --discard.`,
        });
      if (uncommitted) await this.#commit(tree, `gemini: what was left in ${name}`);
      const commit = await this.#tip(tree);
      if (discard) await this.#git.run(await this.#base(), 'worktree', 'remove', '--force', '--force', tree.path);
      else await this.#removeClean(tree);
      await this.#git.run(await this.#base(), 'update-ref', '-d', `refs/heads/${branch}`, commit);
      return {commit};
    });
  }

  async #list(): Promise<readonly WorktreeState[]> {
    const states: WorktreeState[] = [];
    for (const path of await pathsBelow(await this.#repository())) {
      const tree = await readTree(await this.#repository(), path);
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
    await this.#requireTrust();
    const path = join(await prepareFolder(base), name);
    const branch = `worktree-${name}`;
    await this.#git.run(base, 'worktree', 'add', '--quiet', '--no-track', '-b', branch, path, commit.trim());
    const folder = join(path, prefix.trim());
    await mkdir(folder, {recursive: true});
    await carryOver(join(base, '.gemini'), join(folder, '.gemini'));
    const carried = await digestOf(join(folder, '.gemini'));
    const record = {base: commit.trim(), prefix: prefix.trim(), carried};
    const own = await writeRecord(await this.#repository(), path, record);
    const tree = {name, path, folder, branch, base: record.base, isBehind: await this.#isDirty(base, '.')};
    await this.#uses.begin(tree, own);
    return tree;
  }

  /** Throws KernelError WORKTREE_FAILED. */
  async #requireTrust(): Promise<void> {
    const {trusted, reason} = await (await this.context.service('trust')).state();
    if (trusted) return;
    // Filters that the configuration of a repository names run when files are checked out.
    throw new KernelError('WORKTREE_FAILED', `No worktree is used in a folder without trust: ${reason}`, {
      hint: '`gemini trust add` trusts this folder.',
    });
  }

  #ending(tree: Worktree, first: () => Promise<void>): Promise<WorktreeEnd> {
    return this.#inOrder(async () => {
      try {
        await first();
        return await this.#end(tree);
      } finally {
        await this.#uses.end(tree);
      }
    });
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
    const record = await readRecord(await this.#repository(), tree.path);
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

  /** The folder that the person works in; for a worktree of ours, the one that it belongs to. */
  async #base(): Promise<string> {
    return baseOf(await realpath(this.context.environment.cwd));
  }

  async #repository(): Promise<Repository> {
    return {git: this.#git, base: await this.#base()};
  }

  #inOrder<T>(act: () => Promise<T>): Promise<T> {
    const acting = this.#order.then(act, act);
    this.#order = acting.catch(() => undefined);
    return acting;
  }
}
