import {KernelError} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {McpServer} from '#sdk';
import {askForTrust} from '../ask/ask-for-trust.js';
import type {Editor} from './editor.js';
import {findDirectory, openPlace} from './open-place.js';
import {ServedSession} from './served-session.js';
import type {Setup} from './setup.js';

/** More open sessions than this are a mistake or an attack. */
const MOST = 200;

/** What an editor says of a session that it opens. */
export interface OpenRequest {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** A recorded session to continue. */
  readonly resume?: string;
  /** The request, which a question belongs to before there is a session. */
  readonly requestId: string | number | null;
  readonly signal: AbortSignal;
}

interface Held {
  readonly served: ServedSession;
  /** Keeps the place open. */
  readonly holder: Session;
}

/** The sessions that one editor has open. */
export class HeldSessions {
  readonly #held = new Map<string, Held>();
  /** Sessions that are being opened count as well. */
  #opening = 0;
  #isClosed = false;
  /** Variables that the editor has set for its sessions, such as a key. */
  readonly variables: Record<string, string> = {};

  constructor(
    private readonly setup: Setup,
    private readonly editor: Editor,
  ) {}

  get folders(): readonly string[] {
    return [...new Set([...this.#held.values()].map(({served}) => served.cwd))];
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Throws KernelError ACP_SESSION_UNKNOWN. */
  get(id: string): ServedSession {
    const held = this.#held.get(id);
    if (held) return held.served;
    throw new KernelError('ACP_SESSION_UNKNOWN', `There is no open session ${JSON.stringify(id)}.`, {
      hint: 'Open one with session/new, or continue one with session/load.',
    });
  }

  /** Opens a session, or continues a recorded one. A session that cannot begin leaves nothing behind. */
  async open(request: OpenRequest): Promise<ServedSession> {
    if (this.#held.size + this.#opening >= MOST)
      throw new KernelError('ACP_REQUEST_INVALID', `${MOST} sessions are open.`, {hint: 'Close some of them first.'});
    this.#opening += 1;
    try {
      return await this.#open(request);
    } finally {
      this.#opening -= 1;
    }
  }

  /** Opens a session in a folder for the time of an act, such as listing what is recorded there. */
  async during<T>(cwd: string, act: (session: Session) => Promise<T>): Promise<T> {
    const holder = await openPlace(this.setup, this.editor, {cwd, servers: [], variables: this.variables});
    try {
      return await act(holder);
    } finally {
      await holder.close();
    }
  }

  async close(id: string): Promise<void> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    await held?.served.close();
    await held?.holder.close();
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#held.keys()].map((id) => this.close(id)));
  }

  async #open(request: OpenRequest): Promise<ServedSession> {
    const {additionalDirectories = [], mcpServers = []} = request;
    const others = await Promise.all(additionalDirectories.map((path) => findDirectory('additionalDirectories', path)));
    const {variables} = this;
    const holder = await openPlace(this.setup, this.editor, {cwd: request.cwd, servers: mcpServers, variables});
    try {
      await this.#askForTrust(holder, request);
      const served = await this.#begin(holder, request, others);
      this.#held.set(served.id, {served, holder});
      // The editor can be gone by now.
      if (this.#isClosed) await this.close(served.id);
      return served;
    } catch (error) {
      await holder.close();
      throw error;
    }
  }

  async #begin(holder: Session, {cwd, resume}: OpenRequest, others: readonly string[]): Promise<ServedSession> {
    const {setup, editor} = this;
    if (resume !== undefined) await this.#requireRecorded(holder, resume);
    const conversations = await holder.service('conversations');
    const {id: conversation} = await conversations.open({interactive: true, ...(resume === undefined ? {} : {resume})});
    try {
      const session = await conversations.session(conversation);
      await requireModel(session);
      if (others.length > 0) await conversations.addDirectories(conversation, others);
      const served = new ServedSession({setup, editor, conversations, conversation, session, cwd});
      await served.open();
      return served;
    } catch (error) {
      await conversations.close(conversation);
      throw error;
    }
  }

  /** Numbers and `latest` of the command line are no ids of the protocol. */
  async #requireRecorded(holder: Session, id: string): Promise<void> {
    const isThere = this.setup.kernel.catalog.services.has('sessions');
    const {sessions} = isThere ? await (await holder.service('sessions')).list() : {sessions: []};
    if (!sessions.some((one) => one.id === id)) throw unrecorded(id);
  }

  async #askForTrust(holder: Session, {requestId, signal}: OpenRequest): Promise<void> {
    const {setup, editor} = this;
    if (!setup.kernel.catalog.services.has('trust')) return;
    const trust = await holder.service('trust');
    await askForTrust({trust, editor, requestId, signal, log: (line) => setup.log(line)});
  }
}

/** The error for a session that is not recorded in a folder. */
function unrecorded(id: string): KernelError {
  return new KernelError('ACP_SESSION_UNKNOWN', `There is no recorded session ${JSON.stringify(id)}.`, {
    hint: 'session/list shows those of a folder.',
  });
}

/** Throws KernelError ACP_AUTH_MISSING when the chosen model needs a key that there is not. */
async function requireModel(session: Session): Promise<void> {
  const failure = await (await session.service('agent')).check();
  if (failure?.kind !== 'auth') return;
  throw new KernelError('ACP_AUTH_MISSING', failure.message, failure.hint ? {hint: failure.hint} : {});
}
