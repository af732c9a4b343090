import {randomUUID} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {
  CallToolRequestSchema,
  EmptyResultSchema,
  ListToolsRequestSchema,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '#mcp-server';
import {limits, notifications, type ContextUpdate} from '../protocol.js';
import {toolList, type ToolAnswer, type ToolCall} from './diff-tools.js';
import {sendWebResponse, toWebRequest} from './exchange.js';

/** One connected gemini. */
export interface CompanionSession {
  /** Answers one of its requests. */
  answer(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  /** Whether its stream is open. */
  listens(): boolean;
  /** Sends it a notification, or keeps the notification until its stream is open. */
  tell(method: string, params: Record<string, unknown>): void;
  /** Sends it the newest context, once its stream is open and has accepted the previous message. */
  showContext(): void;
  close(): Promise<void>;
}

export interface SessionParts {
  /** Name and version of this server. */
  readonly name: string;
  context(): ContextUpdate;
  callTool(session: string, call: ToolCall): Promise<ToolAnswer>;
  /** Called when it gets an id, and when it ends. */
  onOpen(id: string, session: CompanionSession): void;
  onClose(id: string): void;
  warn(sentence: string): void;
  /** How often to ping the other side; every 60 s by default. */
  readonly pingMs?: number;
}

/** After so many pings in a row without an answer, the other side counts as gone. */
const PINGS = 3;
const PING_ANSWER_MS = 10_000;
/** How many decisions to keep for a session whose stream is not open. */
const KEPT = 100;

/** A session that starts with the next request it answers. */
export async function createSession(parts: SessionParts): Promise<CompanionSession> {
  const id = randomUUID();
  const server = new Server({name: parts.name, version: '1.0.0'}, {capabilities: {tools: {}}});
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessioninitialized: () => parts.onOpen(id, session),
  });
  const voice = createVoice(parts, (method, params) => server.notification({method, params}));
  const stopPinging = keepAlive(server, parts.pingMs ?? limits.pingMs, () => void session.close());
  const session: CompanionSession = {
    listens: voice.listens,
    tell: voice.tell,
    showContext: voice.showContext,
    close: () => server.close(),
    async answer(request, response, body) {
      const answer = await transport.handleRequest(
        toWebRequest(request),
        body === undefined ? undefined : {parsedBody: body},
      );
      const listens = request.method === 'GET' && answer.ok;
      if (listens) voice.listen(response);
      await sendWebResponse(answer, response);
    },
  };
  server.onclose = () => {
    stopPinging();
    parts.onClose(id);
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({tools: toolList}));
  server.setRequestHandler(CallToolRequestSchema, async ({params}) => parts.callTool(id, params));
  await server.connect(transport);
  return session;
}

interface Voice extends Pick<CompanionSession, 'listens' | 'tell' | 'showContext'> {
  /** Sends everything along this stream from now on. */
  listen(stream: ServerResponse): void;
}

/**
 * Sends messages along the stream that the other side opens. A slow reader gets only the newest context, not each one;
 * decisions of the person are kept for later.
 */
function createVoice(
  {context, warn}: SessionParts,
  send: (method: string, params: Record<string, unknown>) => Promise<void>,
): Voice {
  let stream: ServerResponse | undefined;
  let isLate = false;
  const kept: {readonly method: string; readonly params: Record<string, unknown>}[] = [];
  const say = (method: string, params: Record<string, unknown>): void => {
    send(method, params).catch((error: unknown) => warn(`Cannot send ${method}:  ${String(error)}.`));
  };
  const voice: Voice = {
    listens: () => stream !== undefined,
    tell(method, params) {
      if (stream) return say(method, params);
      kept.push({method, params});
      if (kept.length > KEPT) kept.shift();
    },
    showContext() {
      if (!stream || isLate) return;
      if (!stream.writableNeedDrain) return say(notifications.contextUpdate, {...context()});
      isLate = true;
      stream.once('drain', () => {
        isLate = false;
        voice.showContext();
      });
    },
    listen(opened) {
      stream = opened;
      isLate = false;
      opened.once('close', () => {
        if (stream === opened) stream = undefined;
      });
      for (const {method, params} of kept.splice(0)) say(method, params);
      voice.showContext();
    },
  };
  return voice;
}

/** Pings the other side at intervals. */
function keepAlive(server: Server, pingMs: number, onSilence: () => void): () => void {
  let missed = 0;
  const ping = (): void => {
    server.request({method: 'ping'}, EmptyResultSchema, {timeout: Math.min(PING_ANSWER_MS, pingMs)}).then(
      () => {
        missed = 0;
      },
      () => {
        missed += 1;
        if (missed === PINGS) onSilence();
      },
    );
  };
  const timer = setInterval(ping, pingMs).unref();
  return () => clearInterval(timer);
}
