import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {hideCredentials, type Git} from '@gemini-kernel/files/sources';
import {isHeld, takeLock} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';

/** The number of a commit. */
export const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const PATIENCE_MS = 10 * 60_000;

/** Bare repositories of this machine, one for each that a fleet works on: a commit is fetched once. */
export class Mirrors {
  readonly #pins = new Map<string, Promise<string>>();
  /** Git changes a mirror for one at a time. */
  readonly #orders = new Map<string, Promise<unknown>>();

  constructor(
    private readonly folder: string,
    private readonly git: Git,
    private readonly signal: AbortSignal,
  ) {}

  /** The commit that a name stands for there now. Throws KernelError REPOSITORY_FAILED. */
  pin(repository: string, ref: string): Promise<string> {
    if (HASH.test(ref)) return Promise.resolve(ref);
    const key = `${ref}\n${repository}`;
    const known = this.#pins.get(key) ?? this.#pin(repository, ref);
    this.#pins.set(key, known);
    return known;
  }

  /** Has the commit in the mirror of its repository, and gives the folder of that. */
  async fetch(repository: string, commit: string): Promise<string> {
    const folder = this.folderOf(repository);
    await this.alone(folder, async () => {
      await makePrivateFolder(folder);
      if ((await this.git.ask(folder, 'rev-parse', '--git-dir'))?.trim() !== '.')
        await this.git.run(folder, 'init', '--quiet', '--bare');
      if (await this.#has(folder, commit)) return;
      await this.#fetch(folder, repository, commit);
      if (!(await this.#has(folder, commit)))
        throw new KernelError('REPOSITORY_FAILED', `${hideCredentials(repository)} has no commit ${commit}.`);
    });
    return folder;
  }

  async #fetch(folder: string, repository: string, commit: string): Promise<void> {
    const fetch = ['fetch', '--quiet', '--no-tags'];
    if ((await this.git.ask(folder, ...fetch, '--', repository, commit)) !== undefined) return;
    // Some servers do not serve a commit that no name points to; then everything is fetched.
    try {
      await this.git.run(folder, ...fetch, '--', repository, '+refs/*:refs/remotes/all/*');
    } catch (error) {
      // A partial clone does not have the history of its commits.
      if ((await this.git.ask(folder, ...fetch, '--depth=1', '--', repository, commit)) === undefined) throw error;
    }
  }

  folderOf(repository: string): string {
    return join(this.folder, `${createHash('sha256').update(repository).digest('hex').slice(0, 32)}.git`);
  }

  /** Acts while no one else changes the mirror, in this process or another. */
  async alone<T>(folder: string, act: () => Promise<T>): Promise<T> {
    const before = this.#orders.get(folder) ?? Promise.resolve();
    const turn = before.then(() => this.#locked(folder, act));
    this.#orders.set(
      folder,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #locked<T>(folder: string, act: () => Promise<T>): Promise<T> {
    await makePrivateFolder(this.folder);
    const lock = await takeLock(`${folder}.lock`, {patienceMs: PATIENCE_MS, signal: this.signal});
    if (!isHeld(lock))
      throw new KernelError('REPOSITORY_FAILED', `Process ${lock.pid} of ${lock.host} has had ${folder} for too long.`);
    try {
      return await act();
    } finally {
      await lock.release();
    }
  }

  async #has(folder: string, commit: string): Promise<boolean> {
    return (await this.git.ask(folder, 'cat-file', '-e', `${commit}^{commit}`)) !== undefined;
  }

  async #pin(repository: string, ref: string): Promise<string> {
    await makePrivateFolder(this.folder);
    if (ref.startsWith('-'))
      throw new KernelError('REPOSITORY_FAILED', `${JSON.stringify(ref)} is no branch, tag or commit.`);
    const found = await this.git.run(this.folder, 'ls-remote', '--', repository, ref);
    const [, commit] = /^([0-9a-f]{40,64})\t/m.exec(found) ?? [];
    if (commit !== undefined) return commit;
    throw new KernelError('REPOSITORY_FAILED', `${hideCredentials(repository)} has no ${ref}.`, {
      hint: 'Name a branch, a tag or a whole commit with ref.',
    });
  }
}
