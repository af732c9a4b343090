import type {Catalog} from '../catalog/catalog.js';
import {KERNEL} from '../catalog/catalog-plugin.js';
import {findViolations} from '../catalog/schema.js';
import {messageOf} from '../contract/error.js';
import type {JSONSchema} from '../contract/json-schema.js';
import type {Owned, ServiceEntry} from '../contract/manifest.js';
import type {ScopeKind} from '../contract/session.js';
import type {Listed} from '../contract/source.js';
import {Deadline} from '../hooks/deadline.js';
import type {Stage} from '../hooks/dispatch.js';
import {toJson} from '../hooks/to-json.js';

const LIST_MS = 10_000;

/** Where lists are asked for. */
export type ListStage = Stage & {keyOf(name: string): string};

/** What one source listed; nothing and no service when it failed. */
export type Kept<T, S> = Omit<Listed<T>, 'isOurs'> & {readonly service: S | undefined};

/** The lists of all sources, whatever they list: each is kept until its source says that it changed. */
export class KeptLists {
  /** By the key of the service. */
  readonly #kept = new Map<string, Promise<Kept<unknown, unknown>>>();

  constructor(private readonly catalog: Catalog) {}

  /** Asks the source again when its list is next needed. */
  drop(key: string): void {
    this.#kept.delete(key);
  }

  /** Forgets the lists of a scope that closes. */
  forget(kind: ScopeKind, keyOf: (name: string) => string): void {
    for (const {name, scope} of this.catalog.services.values()) if (scope === kind) this.#kept.delete(keyOf(name));
  }

  clear(): void {
    this.#kept.clear();
  }

  /**
   * What these services list, all asked at once. One that fails, is late, or lists what does not fit the schema of an
   * item lists nothing, which is reported once.
   */
  list<T, S extends {list(): Promise<unknown>}>(
    names: readonly string[],
    item: JSONSchema,
    stage: ListStage,
  ): Promise<readonly Kept<T, S>[]> {
    const lists = names.map((name) => {
      const entry = this.catalog.services.get(name);
      const key = stage.keyOf(name);
      const kept = this.#kept.get(key) ?? (entry ? ask(entry, item, stage) : undefined);
      if (kept) this.#kept.set(key, kept);
      return kept ?? [];
    });
    // Held against the schema of an item, which states its type; the family states that of the service.
    return Promise.all(lists.flat()) as Promise<readonly Kept<T, S>[]>;
  }
}

async function ask(
  {name, plugin}: Owned<ServiceEntry>,
  item: JSONSchema,
  stage: Stage,
): Promise<Kept<unknown, unknown>> {
  try {
    const service: {list(): Promise<unknown>} = await stage.lookup(name as `tools:${string}`, KERNEL);
    const given = await new Deadline(`${plugin} at list of ${name}`, LIST_MS, undefined).race(() => service.list());
    const items = toJson(given, 'the list');
    if (!Array.isArray(items)) throw new TypeError('the list is not a list.');
    const [fault] = (await Promise.all(items.map((one, at) => findViolations(item, one, `the list.${at}`)))).flat();
    if (fault !== undefined) throw new TypeError(fault);
    return {name, plugin, items, service};
  } catch (error) {
    const sentence = `The ${name.split(':')[0]} of ${name} (${plugin}) are left out: ${messageOf(error)}`;
    stage.tell({code: 'SOURCE_FAILED', sentence, once: sentence});
    return {name, plugin, items: [], service: undefined};
  }
}
