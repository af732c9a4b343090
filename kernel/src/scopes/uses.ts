/** Which services have asked for which others. A service is known by the id of its scope and its name: `id/name`. */
export class Uses {
  readonly #of = new Map<string, Set<string>>();
  /** By name: the names of services that were created with it, and so hold it for good. */
  readonly #createdWith = new Map<string, Set<string>>();

  /** Notes that one service was given another, and whether it was being created then. */
  note(user: string, service: string, isCreating: boolean): void {
    add(this.#of, user, service);
    if (isCreating) add(this.#createdWith, nameOf(service), nameOf(user));
  }

  /** Whether one of the services `to` is among `from`, or used by one of them, directly or through others. */
  reaches(from: ReadonlySet<string>, to: readonly string[]): boolean {
    const seen = new Set(from);
    // A set that grows while it is walked is walked to its end.
    for (const one of seen) {
      if (to.includes(one)) return true;
      for (const next of this.#of.get(one) ?? []) seen.add(next);
    }
    return false;
  }

  /** These names, and those of services that were created with one of them, directly or through others. */
  createdWith(names: Iterable<string>): ReadonlySet<string> {
    const all = new Set(names);
    for (const one of all) for (const user of this.#createdWith.get(one) ?? []) all.add(user);
    return all;
  }

  /** Forgets services that are gone. */
  forget(services: Iterable<string>): void {
    for (const one of services) this.#of.delete(one);
  }
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}

function nameOf(service: string): string {
  return service.slice(service.indexOf('/') + 1);
}
