import {ToolError} from '@gemini-kernel/kernel';

const MOST = 10;
const WINDOW_MS = 60_000;

/** Counts requests by host, so that no host gets more than ten in a minute from a session. */
export class RateLimit {
  readonly #times = new Map<string, number[]>();

  constructor(private readonly now: () => number) {}

  /** Throws ToolError PAGE_RATE. */
  admit(host: string): void {
    const now = this.now();
    const recent = (this.#times.get(host) ?? []).filter((time) => now - time < WINDOW_MS);
    this.#times.set(host, recent);
    const [oldest = now] = recent;
    if (recent.length >= MOST)
      throw new ToolError('PAGE_RATE', `${host} was asked for ${MOST} pages within a minute.`, {
        hint: `Use other pages, or try again in ${Math.ceil((oldest + WINDOW_MS - now) / 1000)} seconds.`,
      });
    recent.push(now);
  }
}
