import type {OpenServer} from '../connection/open-server.js';
import {reasonOf} from '../connection/mcp-errors.js';

/** The resources that a server of a revision with sessions was asked to tell about, one request each. */
export class ResourceSubscriptions {
  readonly #uris = new Set<string>();

  constructor(private readonly server: OpenServer) {}

  /** Never rejects: a server that refuses is named in its log, and the resource is not followed. */
  async add(uri: string): Promise<void> {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    const {client} = this.server;
    await client.subscribeResource({uri}).catch((error: unknown) => {
      this.#uris.delete(uri);
      client.onerror?.(new Error(`cannot follow ${uri}: ${reasonOf(error)}`));
    });
  }
}
