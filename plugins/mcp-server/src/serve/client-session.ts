import type {Session} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';
import {LivePerson} from './live-person.js';
import type {Setup} from './setup.js';

/** What is known of a client when its session opens. */
export interface ClientFacts {
  /** Whether its person can be asked. */
  readonly canAsk: boolean;
  /** Its directories; without any, the server's own count. */
  readonly roots: readonly string[];
}

type Learn = () => Promise<ClientFacts>;

/** The session of one client. It opens with the first use, and again when the directories of the client change. */
export class ClientSession {
  readonly person: LivePerson;
  #opened: Promise<Session> | undefined;
  #isStale = false;
  #isEnding = false;
  #uses = 0;
  readonly #peeks = new Set<Promise<unknown>>();

  constructor(
    private readonly setup: Setup,
    listsChanged: (source: string) => void,
  ) {
    this.person = new LivePerson(listsChanged);
  }

  /** Throws what keeps the session from beginning; the next use tries again. */
  async use<T>(learn: Learn, act: (session: Session) => Promise<T>): Promise<T> {
    if (this.#isStale && this.#uses === 0) await this.close();
    this.#uses += 1;
    try {
      return await act(await this.#open(learn));
    } finally {
      this.#uses -= 1;
      if (this.#isEnding && this.#uses === 0) await this.close();
    }
  }

  /** Does something in the session while it is open; undefined when it is not. The session closes after it. */
  async peek<T>(act: (session: Session) => Promise<T>): Promise<T | undefined> {
    if (!this.#opened || this.#isStale) return undefined;
    const peek = this.#opened.then(act);
    this.#peeks.add(peek);
    try {
      return await peek;
    } finally {
      this.#peeks.delete(peek);
    }
  }

  /** The directories of the client are others now. What runs ends in the old session. */
  renew(): void {
    this.#isStale = true;
  }

  /** Closes it when nothing uses it any more. */
  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#uses === 0) await this.close();
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#isStale = false;
    const [session] = await Promise.all([opened?.catch(() => undefined), Promise.allSettled(this.#peeks)]);
    await session?.close();
  }

  #open(learn: Learn): Promise<Session> {
    return (this.#opened ??= this.#begin(learn).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    }));
  }

  async #begin(learn: Learn): Promise<Session> {
    const {kernel} = this.setup;
    const {canAsk, roots} = await learn();
    const [cwd, ...others] = roots;
    const {flags} = kernel.environment;
    const session = kernel.open({
      live: true,
      interactive: canAsk,
      // Without a flag no MCP server is used: one of them may be this program, which would start itself without end.
      flags: {'mcp.allowed': [], ...flags},
      ...(cwd === undefined ? {} : {cwd}),
    });
    try {
      await session.announce();
      if (others.length > 0) await (await session.service('workspace')).add(others, {scope: 'session'});
      await (await session.service('mcp-clients')).attach(session.info.id, this.person);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }
}
