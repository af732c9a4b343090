import type {OpenServer} from '../connection/open-server.js';
import {ResourceStream} from './resource-stream.js';
import {ResourceSubscriptions} from './resource-subscriptions.js';

/** A resource of a server. */
export interface ResourceName {
  readonly server: string;
  readonly uri: string;
}

/** Hears of changes from one server. */
interface Following {
  /** Hears of changes of this resource, too. Never rejects. */
  add(uri: string): Promise<void>;
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
  readonly #following = new WeakMap<OpenServer, Following>();

  constructor(
    /** For some session, a resource that it has read has changed. */
    private readonly tell: () => void,
  ) {}

  /** A session has read a resource: from now on it learns of changes. Never throws: reading works without it. */
  async follow(name: ResourceName, {session, open}: Reading): Promise<void> {
    const {client} = open;
    if (!client.getServerCapabilities()?.resources?.subscribe) return;
    const read = this.#read.get(session) ?? new Map<string, {readonly name: ResourceName; isStale: boolean}>();
    this.#read.set(session, read.set(labelOf(name), {name, isStale: false}));
    const {server} = name;
    const missed = (uri: string): void => this.change({server, uri});
    const following =
      this.#following.get(open) ??
      (client.getProtocolEra() === 'modern' ? new ResourceStream(open, missed) : new ResourceSubscriptions(open));
    this.#following.set(open, following);
    await following.add(name.uri);
  }

  /** A server says that a resource has changed. */
  change(name: ResourceName): void {
    let isNew = false;
    for (const read of this.#read.values()) {
      const found = read.get(labelOf(name));
      if (!found || found.isStale) continue;
      found.isStale = true;
      isNew = true;
    }
    if (isNew) this.tell();
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
