import {createHash, randomBytes} from 'node:crypto';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {isHeld, ownerOfLock, takeLock, type HeldLock} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import {chooseMounts} from './choose-mounts.js';
import type {ContainerMount} from './container-options.js';
import type {LxcState} from './lxc-state.js';

/** Runs lxc with words, and gives what it prints. */
export type Lxc = (...words: readonly string[]) => Promise<string>;

interface Sharing {
  readonly lxc: Lxc;
  readonly container: string;
  /** Where the sessions of the person that use a container are noted. */
  readonly folder: string;
}

/** The devices that gemini made; others are never removed. */
const PREFIX = 'gemini-';
const PATIENCE_MS = 30_000;
const USE = '.use';

/** Folders of this machine in a container that runs. Sessions share them; the last one that ends removes them. */
export class LxcDevices {
  private constructor(
    private readonly sharing: Sharing,
    private readonly use: HeldLock,
    private readonly name: string,
  ) {}

  /** Throws KernelError SANDBOX_UNAVAILABLE. */
  static async add(
    sharing: Sharing,
    mounts: readonly ContainerMount[],
    readState: () => Promise<LxcState>,
  ): Promise<LxcDevices> {
    const {lxc, container, folder} = sharing;
    await makePrivateFolder(folder);
    return inTurn(folder, async () => {
      const name = `${randomBytes(8).toString('hex')}${USE}`;
      const use = await takeLock(join(folder, name));
      if (!isHeld(use)) throw busy(container);
      const made = new LxcDevices(sharing, use, name);
      try {
        if ((await made.#others()) === 0) await made.#removeAll(readState);
        const {devices} = await readState();
        for (const mount of chooseMounts(mounts, devices, container))
          await lxc('config', 'device', 'add', container, nameOf(mount), 'disk', ...wordsOf(mount));
        return made;
      } catch (error) {
        await made.#leave(readState);
        throw error;
      }
    });
  }

  /** Removes them, unless another session uses the container. */
  async release(readState: () => Promise<LxcState>): Promise<void> {
    await inTurn(this.sharing.folder, () => this.#leave(readState));
  }

  async #leave(readState: () => Promise<LxcState>): Promise<void> {
    await this.use.release();
    if ((await this.#others()) === 0) await this.#removeAll(readState);
  }

  /** How many other sessions use the container. */
  async #others(): Promise<number> {
    const {folder} = this.sharing;
    const uses = (await readdir(folder)).filter((name) => name.endsWith(USE) && name !== this.name);
    const owners = await Promise.all(uses.map((name) => ownerOfLock(join(folder, name))));
    return owners.filter((owner) => owner !== undefined).length;
  }

  async #removeAll(readState: () => Promise<LxcState>): Promise<void> {
    const {lxc, container} = this.sharing;
    const own = Object.entries((await readState()).devices).filter(([name]) => name.startsWith(PREFIX));
    // What lies within another one goes first.
    for (const [name] of own.sort(([, a], [, b]) => (b.path ?? '').length - (a.path ?? '').length))
      await lxc('config', 'device', 'remove', container, name);
  }
}

async function inTurn<T>(folder: string, act: () => Promise<T>): Promise<T> {
  const turn = await takeLock(join(folder, 'turn'), {patienceMs: PATIENCE_MS});
  if (!isHeld(turn)) throw busy(folder);
  try {
    return await act();
  } finally {
    await turn.release();
  }
}

function nameOf({from, to, rights}: ContainerMount): string {
  const digest = createHash('sha256').update([from, to, rights].join('\0')).digest('hex');
  return `${PREFIX}${digest.slice(0, 20)}`;
}

function wordsOf({from, to, rights}: ContainerMount): readonly string[] {
  return [`source=${from}`, `path=${to}`, ...(rights === 'ro' ? ['readonly=true'] : [])];
}

function busy(what: string): KernelError {
  return new KernelError('SANDBOX_UNAVAILABLE', `Another session of gemini has been changing ${what} for too long.`, {
    hint: 'End that session, then try again.',
  });
}
