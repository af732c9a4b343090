interface Lease {
  readonly fence: number;
  readonly ms: number;
  /** By the monotonic clock: no change of the time of day ends a lease. */
  until: number;
}

/** Until when workers have their tasks. */
export class Leases {
  readonly #leases = new Map<string, Lease>();

  begin(id: string, fence: number, ms: number): void {
    this.#leases.set(id, {fence, ms, until: performance.now() + ms});
  }

  renew(id: string): void {
    const lease = this.#leases.get(id);
    if (lease) lease.until = performance.now() + lease.ms;
  }

  end(id: string): void {
    this.#leases.delete(id);
  }

  /** The ids of those that have ended. */
  overdue(): readonly string[] {
    const now = performance.now();
    return [...this.#leases].flatMap(([id, {until}]) => (until < now ? [id] : []));
  }

  clear(): void {
    this.#leases.clear();
  }
}
