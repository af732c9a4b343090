import {lstat, mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Git} from '@gemini-kernel/files/sources';
import {withoutObeyed} from './obeyed.js';
import {identityFor} from './fleet-git.js';
import type {Mirrors} from './mirrors.js';

export interface CheckoutWish {
  readonly repository: string;
  readonly commit: string;
  readonly branch: string;
  /** Where the files are. */
  readonly folder: string;
  /** Without it, what a repository brings along for this program is left out. */
  readonly isTrusted: boolean;
}

/** What a task made of a repository. */
export interface Work {
  readonly branch: string;
  readonly commit: string;
  readonly files: readonly string[];
  readonly insertions: number;
  readonly deletions: number;
  /** Binary differences too: `git apply` takes it. */
  readonly patch: string;
  /** The commit as git keeps it. */
  readonly object: string;
}

const MOST_IGNORED = 20;

/** Differences that no configuration of a person changes. */
const PLAIN = [
  ...['--no-color', '--no-renames', '--no-ext-diff', '--no-textconv', '--unified=3', '--inter-hunk-context=0'],
  ...['--src-prefix=a/', '--dst-prefix=b/'],
];

/** A worktree for a task, on a branch of its own. Git is never asked to find its repository from inside. */
export class Checkout {
  private constructor(
    private readonly git: Git,
    private readonly mirrors: Mirrors,
    private readonly wish: CheckoutWish,
    /** The mirror, and what git keeps of this worktree in it. */
    private readonly place: {readonly mirror: string; readonly own: string},
  ) {}

  /** One that was made before, with what is in it. Throws KernelError REPOSITORY_FAILED. */
  static async find(git: Git, mirrors: Mirrors, wish: CheckoutWish): Promise<Checkout | undefined> {
    const mirror = await mirrors.fetch(wish.repository, wish.commit);
    const own = await ownFolderOf(git, mirror, wish.folder);
    const isWhole = own !== undefined && (await isThere(wish.folder));
    return isWhole ? new Checkout(git, mirrors, wish, {mirror, own}) : undefined;
  }

  /** A new one, in place of what was there. Throws KernelError REPOSITORY_FAILED. */
  static async make(git: Git, mirrors: Mirrors, wish: CheckoutWish): Promise<Checkout> {
    const {repository, commit, branch, folder, isTrusted} = wish;
    const mirror = await mirrors.fetch(repository, commit);
    const own = await mirrors.alone(mirror, async () => {
      await rm(folder, {recursive: true, force: true});
      await mkdir(dirname(folder), {recursive: true});
      await git.run(mirror, 'worktree', 'prune');
      const words = ['worktree', 'add', '--quiet', '--no-checkout', '--no-track', '-B', branch, folder, commit];
      await git.run(mirror, ...words);
      const made = (await git.run(folder, 'rev-parse', '--absolute-git-dir')).trim();
      if (!isTrusted) await git.run(folder, 'sparse-checkout', 'set', '--no-cone', ...withoutObeyed());
      await git.run(folder, 'reset', '--quiet', '--hard', commit);
      return made;
    });
    return new Checkout(git, mirrors, wish, {mirror, own});
  }

  /** Commits what was changed. Undefined when nothing was. */
  async commit(message: string): Promise<Work | undefined> {
    const {commit: base, branch} = this.wish;
    await this.#run('add', '--all', '--sparse', '--', '.');
    const who = await identityFor(this.git, this.place.mirror);
    const tree = (await this.#run('write-tree')).trim();
    if (tree === (await this.git.run(this.place.mirror, 'rev-parse', `${base}^{tree}`)).trim()) return undefined;
    const made = await this.git.run(this.place.mirror, ...who, 'commit-tree', tree, '-p', base, '-m', message);
    const commit = made.trim();
    await this.mirrors.alone(this.place.mirror, () =>
      this.git.run(this.place.mirror, 'update-ref', `refs/heads/${branch}`, commit),
    );
    const object = await this.git.run(this.place.mirror, 'cat-file', 'commit', commit);
    const stat = await this.git.run(this.place.mirror, 'diff', ...PLAIN, '--numstat', '-z', base, commit);
    return {branch, commit, object, patch: await this.#patch(base, commit), ...countsOf(stat)};
  }

  /** As text where it is UTF-8; all files as binary ones where it is not. */
  async #patch(base: string, commit: string): Promise<string> {
    const {mirror} = this.place;
    const words = ['diff', ...PLAIN, '--binary', '--full-index', base, commit];
    const text = await this.git.run(mirror, ...words);
    if (!text.includes('\uFFFD')) return text;
    const attributes = `${this.wish.folder}.attributes`;
    try {
      await writeFile(attributes, '* -diff\n');
      return await this.git.run(mirror, '-c', `core.attributesFile=${attributes}`, ...words);
    } finally {
      await rm(attributes, {force: true});
    }
  }

  /** What is there and not in the commit, because the repository ignores it: folders as one, the first of many. */
  async ignored(): Promise<readonly string[]> {
    const list = await this.#run('ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z');
    return list.split('\0').filter(Boolean).slice(0, MOST_IGNORED);
  }

  /** Removes the files; the branch stays in the mirror. */
  async remove(): Promise<void> {
    await this.mirrors.alone(this.place.mirror, async () => {
      await rm(this.wish.folder, {recursive: true, force: true});
      await this.git.run(this.place.mirror, 'worktree', 'prune');
    });
  }

  /** What is in the folder does not decide which repository this is. */
  #run(...args: readonly string[]): Promise<string> {
    return this.git.run(this.wish.folder, `--git-dir=${this.place.own}`, `--work-tree=${this.wish.folder}`, ...args);
  }
}

/** What git keeps of a worktree, by what the mirror says about it. */
async function ownFolderOf(git: Git, mirror: string, folder: string): Promise<string | undefined> {
  const list = await git.run(mirror, 'worktree', 'list', '--porcelain', '-z');
  if (!list.split('\0').includes(`worktree ${folder}`)) return undefined;
  // The name that git gives to what it keeps is the last part of the path, as long as no other has it.
  const own = `${mirror}/worktrees/${folder.split(/[/\\]/).at(-1) ?? ''}`;
  return (await isThere(own)) ? own : undefined;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function countsOf(stat: string): Pick<Work, 'files' | 'insertions' | 'deletions'> {
  const lines = stat.split('\0').flatMap((line) => {
    const [, added = '', removed = '', file = ''] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(line) ?? [];
    return file === '' ? [] : [{file, added: Number(added) || 0, removed: Number(removed) || 0}];
  });
  const sum = (pick: (line: (typeof lines)[number]) => number): number =>
    lines.reduce((total, line) => total + pick(line), 0);
  return {
    files: lines.map(({file}) => file),
    insertions: sum((line) => line.added),
    deletions: sum((line) => line.removed),
  };
}
