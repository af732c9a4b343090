import {randomUUID} from 'node:crypto';
import {Lease} from '../wire/peer.js';
import type {PluginProcess} from './plugin-process.js';

interface Life {
  readonly key: string;
  readonly lease: Lease;
  /** Which start of the process it belongs to. */
  readonly start: number;
}

/** One instance of a service in the process of its plugin. It ends with that process, and begins again in the next. */
export class RemoteInstance {
  #life: Promise<Life> | undefined;

  constructor(
    private readonly process: PluginProcess,
    private readonly create: (key: string, lease: Lease) => Promise<unknown>,
  ) {}

  /** What the process calls it; it is created where it is not there, once however many ask. */
  async key(): Promise<string> {
    return (await (this.#life = this.#follow(this.#life))).key;
  }

  /** A request about it: `method` with more, or `describe`. */
  async call(request: 'method' | 'describe', ...more: readonly unknown[]): Promise<unknown> {
    return this.process.request(request, [await this.key(), ...more]);
  }

  async dispose(): Promise<void> {
    const life = await this.#life?.catch(() => undefined);
    this.#life = undefined;
    if (!life || life.start !== this.process.liveStart) return;
    await this.process.request('dispose', [life.key]);
    this.process.services.delete(life.key);
    await this.process.release(life.lease);
  }

  async #follow(before: Promise<Life> | undefined): Promise<Life> {
    const life = await before?.catch(() => undefined);
    return life && life.start === this.process.liveStart ? life : this.#begin();
  }

  async #begin(): Promise<Life> {
    const [key, lease] = [randomUUID(), new Lease()];
    await this.create(key, lease);
    this.process.services.add(key);
    return {key, lease, start: this.process.starts};
  }
}
