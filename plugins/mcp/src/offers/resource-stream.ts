import {ChangeStream} from '../connection/change-stream.js';
import {reasonOf} from '../connection/mcp-errors.js';
import type {OpenServer} from '../connection/open-server.js';

/** The resources that a server of the stateless revision tells about, on one stream. */
export class ResourceStream {
  readonly #uris = new Set<string>();
  readonly #stream: ChangeStream;

  constructor(
    private readonly server: OpenServer,
    /** From now on a resource can change unseen. */
    missed: (uri: string) => void,
  ) {
    this.#stream = new ChangeStream({
      ...server,
      filter: () => ({resourceSubscriptions: [...this.#uris]}),
      lost: () => {
        for (const uri of this.#uris) missed(uri);
        this.#uris.clear();
      },
    });
  }

  /** Never rejects: a server that refuses is named in its log, and the resource is not followed. */
  async add(uri: string): Promise<void> {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    await this.#stream.open().catch((error: unknown) => {
      this.#uris.delete(uri);
      this.server.client.onerror?.(new Error(`cannot follow ${uri}: ${reasonOf(error)}`));
    });
  }
}
