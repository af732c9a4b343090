import type {RunningAgents} from '../contract.js';

/** Looked at this often, so that the time in which a person is asked does not count. */
const TICK_MS = 250;

/** Aborts when an agent has worked longer than it may. */
export class AgentClock {
  readonly #over = new AbortController();
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly session: string,
    private readonly mostMs: number,
    private readonly running: RunningAgents,
  ) {
    this.#timer = setInterval(() => void this.#look(), Math.min(TICK_MS, mostMs));
    this.#timer.unref();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const worked = performance.now() - this.#started - (await this.running.paused(this.session));
    if (worked < this.mostMs) return;
    this.stop();
    this.#over.abort(new Error('The time of the agent is used up.'));
  }
}
