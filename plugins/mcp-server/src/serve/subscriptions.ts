import {KernelError} from '@gemini-kernel/kernel';

const MOST = 100;
const PAUSE_MS = 1000;

interface Parts {
  /** What changes when the resource changes; undefined when no one can look now. */
  look(uri: string): Promise<string | undefined>;
  changed(uri: string): void;
}

/** The resources that a client follows. They are looked at once a second, while there are any. */
export class Subscriptions {
  readonly #seen = new Map<string, string | undefined>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: Parts) {}

  /** Throws KernelError MCP_RESOURCE_UNREADABLE when there are too many. */
  async add(uri: string): Promise<void> {
    if (this.#seen.has(uri)) return;
    if (this.#seen.size >= MOST)
      throw new KernelError('MCP_RESOURCE_UNREADABLE', `A client follows at most ${MOST} resources, not ${uri} too.`, {
        hint: 'Unsubscribe from another one.',
      });
    this.#seen.set(uri, undefined);
    const now = await this.parts.look(uri);
    if (this.#seen.has(uri)) this.#seen.set(uri, now);
    this.#wait();
  }

  delete(uri: string): void {
    this.#seen.delete(uri);
  }

  close(): void {
    this.#seen.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    if (this.#timer || this.#seen.size === 0) return;
    this.#timer = setTimeout(() => void this.#lookAtAll(), PAUSE_MS);
    this.#timer.unref();
  }

  async #lookAtAll(): Promise<void> {
    for (const uri of [...this.#seen.keys()]) {
      // The session may be closing, and the subscription may have ended meanwhile.
      const now = await this.parts.look(uri).catch(() => undefined);
      if (now === undefined || !this.#seen.has(uri)) continue;
      const before = this.#seen.get(uri);
      this.#seen.set(uri, now);
      if (before !== undefined && before !== now) this.parts.changed(uri);
    }
    this.#timer = undefined;
    this.#wait();
  }
}
