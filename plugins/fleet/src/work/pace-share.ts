import {rm} from 'node:fs/promises';
import {setTimeout} from 'node:timers/promises';
import {isFileFault, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {isKernelError} from '@gemini-kernel/kernel';
import type {Claim, QueueEngine} from '../contract.js';
import {ifMissing} from '../queue/if-missing.js';
import type {FleetTask} from '../plan/make-tasks.js';

const EVERY_MS = 1000;

interface Sharing {
  readonly engine: QueueEngine;
  readonly address: string;
  /** The file of the pace of this process. */
  readonly file: string;
}

/**
 * The share of this process in the requests of all machines: as large as its part of the running tasks. Tasks without a
 * limit need none.
 */
export class PaceShare {
  readonly #running = new Set<string>();
  readonly #ending = new AbortController();
  #waking = new AbortController();
  readonly #kept: Promise<readonly [unknown?]>;

  constructor(private readonly sharing: Sharing) {
    this.#kept = this.#keep().then(
      () => [],
      (error: unknown) => [error],
    );
  }

  begin(worker: string, {task: {payload}}: Claim): void {
    if ((payload as FleetTask).limits.requestsPerMinute === undefined) return;
    this.#running.add(worker);
    // Before its first request.
    this.#waking.abort();
  }

  end(worker: string): void {
    this.#running.delete(worker);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    for (const error of await this.#kept) throw error;
  }

  async #keep(): Promise<void> {
    const {file} = this.sharing;
    const {signal} = this.#ending;
    for (let share = 1; !signal.aborted;) {
      try {
        share = await this.#renew(share);
      } catch (error) {
        // A server that is away for a moment, or a full disk, changes no share.
        if (!isKernelError(error) && !isFileFault(error)) throw error;
      }
      this.#waking = new AbortController();
      const wake = AbortSignal.any([signal, this.#waking.signal]);
      await setTimeout(EVERY_MS, undefined, {signal: wake}).catch(() => undefined);
    }
    await rm(file, {force: true});
    await rm(shareOf(file), {force: true});
  }

  async #renew(before: number): Promise<number> {
    const {engine, address, file} = this.sharing;
    const mine = this.#running.size;
    if (mine === 0) return before;
    const {running} = await engine.counts(address);
    const share = mine / Math.max(mine, running);
    if (share !== before) await writeAtomically(shareOf(file), String(share), {durable: false});
    return share;
  }
}

/** The part of all requests that runs which share this file may make. */
export async function readShare(file: string): Promise<number> {
  const share = Number((await readText(shareOf(file)).catch(ifMissing)) ?? 1);
  return share > 0 && share <= 1 ? share : 1;
}

function shareOf(file: string): string {
  return `${file}.share`;
}
