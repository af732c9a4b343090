import type {OpenServer} from '../connection/open-server.js';
import {reasonOf} from '../connection/mcp-errors.js';

/** A resource of a server. */
export interface ResourceName {
  readonly server: string;
  readonly uri: string;
}

/** Where a resource is read: by which session, over which connection. */
interface Reading {
  readonly session: string;
  readonly open: OpenServer;
}

/** Follows the resources that sessions have read, on servers that say when they change. */
export class ResourceUpdates {
  /** For each session, what it has read, and whether that has changed since. */
  readonly #read = new Map<string, Map<string, {readonly name: ResourceName; isStale: boolean}>>();
  readonly #subscribed = new WeakMap<OpenServer, Set<string>>();

  /** A session has read a resource: from now on it learns of changes. Never throws: reading works without it. */
  async follow(name: ResourceName, {session, open}: Reading): Promise<void> {
    const {client} = open;
    if (!client.getServerCapabilities()?.resources?.subscribe) return;
    const read = this.#read.get(session) ?? new Map<string, {readonly name: ResourceName; isStale: boolean}>();
    this.#read.set(session, read.set(labelOf(name), {name, isStale: false}));
    const known = this.#subscribed.get(open) ?? new Set();
    this.#subscribed.set(open, known);
    if (known.has(name.uri)) return;
    known.add(name.uri);
    await client.subscribeResource({uri: name.uri}).catch((error: unknown) => {
      known.delete(name.uri);
      client.onerror?.(new Error(`cannot follow ${name.uri}: ${reasonOf(error)}`));
    });
  }

  /** A server says that a resource has changed. Gives whether that is new to a session. */
  change(name: ResourceName): boolean {
    let isNew = false;
    for (const read of this.#read.values()) {
      const found = read.get(labelOf(name));
      if (!found || found.isStale) continue;
      found.isStale = true;
      isNew = true;
    }
    return isNew;
  }

  /** What has changed since the session read it. */
  stale(session: string): readonly ResourceName[] {
    return [...(this.#read.get(session)?.values() ?? [])].flatMap(({name, isStale}) => (isStale ? [name] : []));
  }

  /** A session has ended. */
  forget(session: string): void {
    this.#read.delete(session);
  }
}

function labelOf({server, uri}: ResourceName): string {
  return JSON.stringify([server, uri]);
}
