import {join} from 'node:path';
import {isHeld, ownerOfLock, takeLock, type HeldLock, type LockOwner} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import type {Worktree} from '../contract.js';

const LOCK = 'gemini.lock';

/** The worktrees that this process works in. No other process removes or enters them meanwhile. */
export class Uses {
  readonly #held = new Map<string, HeldLock>();

  /** `own` is where the repository keeps it. Throws KernelError WORKTREE_IN_USE. */
  async begin({name, path}: Pick<Worktree, 'name' | 'path'>, own: string): Promise<void> {
    const taken = await takeLock(join(own, LOCK));
    if (!isHeld(taken)) throw inUse(name, taken);
    this.#held.set(path, taken);
  }

  /** Throws KernelError WORKTREE_IN_USE while another process works in it. */
  async check({name, path}: Pick<Worktree, 'name' | 'path'>, own: string): Promise<void> {
    if (this.#held.has(path)) return;
    const owner = await ownerOfLock(join(own, LOCK));
    if (owner) throw inUse(name, owner);
  }

  async end({path}: Pick<Worktree, 'path'>): Promise<void> {
    const held = this.#held.get(path);
    this.#held.delete(path);
    await held?.release();
  }
}

function inUse(name: string, {pid, since}: LockOwner): KernelError {
  return new KernelError('WORKTREE_IN_USE', `Process ${pid} has worked in the worktree "${name}" since ${since}.`, {
    hint: 'Wait for it, or use another name.',
  });
}
