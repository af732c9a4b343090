import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {isInitializeRequest} from '#mcp-server';
import {createSession, type CompanionSession, type SessionParts} from './companion-session.js';
import {readBody, sendFault, type Fault} from './exchange.js';
import {refuseRequest} from './guard-request.js';

export type ServerParts = Pick<SessionParts, 'name' | 'context' | 'callTool' | 'warn' | 'pingMs'> & {
  readonly token: string;
};

/** The server of a companion. */
export interface CompanionServer {
  readonly port: number;
  /**
   * Sends a notification to the session with that id; to all sessions if it is gone, because the same gemini may have
   * reconnected as another session.
   */
  tell(session: string, method: string, params: Record<string, unknown>): void;
  /** Whether the session with that id exists and has its stream open. */
  listens(session: string): boolean;
  /** Sends the newest context to every session. */
  showContext(): void;
  close(): Promise<void>;
}

/** Serves on a free port of the loopback interface only. Rejects when there is no free port. */
export async function startServer(parts: ServerParts): Promise<CompanionServer> {
  const sessions = new Map<string, CompanionSession>();
  const all: SessionParts = {
    ...parts,
    onOpen: (id, session) => void sessions.set(id, session),
    onClose: (id) => void sessions.delete(id),
  };
  const server = createServer((request, response) => {
    // An error without a listener would end the editor.
    response.on('error', (error) => parts.warn(`An answer to gemini was lost: ${error.message}.`));
    answerRequest(request, response, {parts: all, token: parts.token, port, sessions}).catch((error: unknown) => {
      // The client has gone; there is no one to answer.
      if (request.socket.destroyed) return;
      parts.warn(`Could not answer a request from gemini: ${String(error)}.`);
      if (response.headersSent) response.destroy();
      else sendFault(response, {status: 500, sentence: 'Could not answer this request.', code: -32_603});
    });
  });
  const port = await listen(server);
  server.on('error', (error) => parts.warn(`The server for gemini failed: ${error.message}.`));
  return {
    port,
    tell(id, method, params) {
      const owner = sessions.get(id);
      for (const session of owner ? [owner] : sessions.values()) session.tell(method, params);
    },
    listens: (id) => sessions.get(id)?.listens() === true,
    showContext() {
      for (const session of sessions.values()) session.showContext();
    },
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      await Promise.all([...sessions.values()].map((session) => session.close()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // Not shared with other workers of a cluster: the discovery file names one process.
    server.listen({host: '127.0.0.1', port: 0, exclusive: true}, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

interface Serving {
  readonly parts: SessionParts;
  readonly token: string;
  readonly port: number;
  readonly sessions: ReadonlyMap<string, CompanionSession>;
}

async function answerRequest(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const refusal = refuseRequest(request, serving);
  if (refusal) return sendFault(response, refusal);
  if (!['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
    return sendFault(response, {status: 405, sentence: `${request.method} is not supported here.`});
  const {body, fault} = request.method === 'POST' ? await readMessage(request) : {};
  if (fault) return sendFault(response, fault);
  const id = request.headers['mcp-session-id'];
  const session = typeof id === 'string' ? serving.sessions.get(id) : undefined;
  if (session) return session.answer(request, response, body);
  if (id !== undefined) return sendFault(response, {status: 404, sentence: 'There is no such session.', code: -32_001});
  if (!isInitializeRequest(body))
    return sendFault(response, {status: 400, sentence: 'The request names no session, and starts none.'});
  const begun = await createSession(serving.parts);
  await begun.answer(request, response, body);
  // A transport that was turned away has no id and would wait forever.
  if (response.statusCode !== 200) await begun.close();
}

/** The posted JSON, or why there is none to use. */
async function readMessage(request: IncomingMessage): Promise<{readonly body?: unknown; readonly fault?: Fault}> {
  const text = await readBody(request);
  if (text === undefined) return {fault: {status: 413, sentence: 'The request is larger than 32 MiB.'}};
  const body = parseBody(text);
  return body === null ? {fault: {status: 400, sentence: 'The request is not JSON.', code: -32_700}} : {body};
}

/** Null for text that is not JSON; so is null itself, which is not a request either. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
