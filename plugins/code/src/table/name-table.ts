/** Names by number. The first is empty. */
export class NameTable {
  readonly #names: string[];
  /** Made when a number is first asked for. */
  #ids: Map<string, number> | undefined;

  constructor(names: readonly string[] = ['']) {
    this.#names = [...names];
  }

  get size(): number {
    return this.#names.length;
  }

  name(id: number): string {
    return this.#names[id] ?? '';
  }

  all(): readonly string[] {
    return this.#names;
  }

  /** Undefined for a name that no file has. */
  find(name: string): number | undefined {
    return this.#map().get(name);
  }

  /** The number of a name, which is added when it is new. */
  add(name: string): number {
    const map = this.#map();
    const known = map.get(name);
    if (known !== undefined) return known;
    // A piece of a text keeps the whole text in memory; this one is on its own.
    const own = Buffer.from(name).toString();
    this.#names.push(own);
    map.set(own, this.#names.length - 1);
    return this.#names.length - 1;
  }

  #map(): Map<string, number> {
    this.#ids ??= new Map(this.#names.map((name, id) => [name, id]));
    return this.#ids;
  }
}
