import {kill} from 'node:process';
import type {Environment} from '@gemini-kernel/kernel';
import {makeVisible} from '@gemini-kernel/command/visible';
import type {FoundEditor} from '../contract.js';
import {notifications} from '../protocol.js';
import {ConnectionFault, type Connection, type HearNews} from './connection.js';
import {describeFault} from './describe-fault.js';
import {createDirectFetch} from './direct-fetch.js';
import {findForeignPort} from '../discovery/find-foreign-port.js';
import {hostsOfEditor, isHere} from './host-of-editor.js';

type Mcp = typeof import('../mcp/client.js');

export interface OpenRequest {
  readonly editor: FoundEditor;
  readonly environment: Pick<Environment, 'variables' | 'platform'>;
  readonly version: string;
  readonly hear: HearNews;
  readonly signal: AbortSignal;
}

/** How long a companion may take to say who it is. */
const HELLO_MS = 2500;
/** How long the first word of what is open is waited for: a prompt that is sent at once should know. */
const FIRST_NEWS_MS = 100;
const LEAVE_MS = 300;

/**
 * Connects to one editor and learns what it can do. Throws ConnectionFault with the reason, or the reason of the
 * signal.
 */
export async function openConnection(request: OpenRequest): Promise<Connection> {
  const [likeliest = '', ...others] = hostsOfEditor(request.environment, request.editor.source);
  try {
    return await openAt(likeliest, request);
  } catch (error) {
    if (!(error instanceof ConnectionFault) || error.fault.reason !== 'port-refused') throw error;
    for (const host of others) return await openAt(host, request).catch(() => Promise.reject(error));
    throw error;
  }
}

async function openAt(host: string, {editor, environment, version, hear, signal}: OpenRequest): Promise<Connection> {
  const mcp = await import('#mcp-client');
  const client = new mcp.Client({name: 'gemini', version});
  const ending = createEnding();
  const way = makeTransport(mcp, {editor, host, platform: environment.platform, lose: ending.lose});
  const close = (): Promise<void> => ending.close(() => leave(client, way));
  // eslint-disable-next-line house/late-promises -- It never fails.
  const first = firstNews(client, (method, parameters) => {
    if (!ending.isClosed()) hear(method, parameters);
  });
  client.onclose = () => ending.lose('its companion has ended');
  // What is wrong with one message ends nothing; that the stream is over is told by itself.
  client.onerror = () => undefined;
  const waiting = AbortSignal.any([signal, AbortSignal.timeout(HELLO_MS)]);
  let stage: 'connect' | 'list' = 'connect';
  try {
    await client.connect(way.transport, {signal: waiting, timeout: HELLO_MS});
    stage = 'list';
    const tools = await listTools(mcp, client, waiting);
    await Promise.race([first, new Promise((resolve) => setTimeout(resolve, FIRST_NEWS_MS).unref())]);
    signal.throwIfAborted();
    const {name = 'a companion', version: own = 'without a version'} = client.getServerVersion() ?? {};
    return {
      editor,
      tools,
      server: makeVisible(`${name} ${own}`),
      lost: ending.lost,
      close,
      async call(tool, input, {timeoutMs}) {
        try {
          const limits = {timeout: timeoutMs, maxTotalTimeout: timeoutMs};
          const {isError, content} = await client.callTool({name: tool, arguments: input}, undefined, limits);
          return {isError: isError === true, text: textOf(content)};
        } catch (error) {
          if (isForgotten(mcp, error)) ending.lose('it does not know the session any more');
          throw error;
        }
      },
      async ping() {
        const started = performance.now();
        await client.ping({timeout: HELLO_MS});
        return performance.now() - started;
      },
    };
  } catch (error) {
    await close();
    signal.throwIfAborted();
    if (error instanceof ConnectionFault) throw error;
    throw new ConnectionFault(describeFault(mcp, error, {editor, stage}), error);
  }
}

interface Ending {
  /** Resolves with why when it is over without having been closed. */
  readonly lost: Promise<string>;
  lose(detail: string): void;
  isClosed(): boolean;
  close(act: () => Promise<void>): Promise<void>;
}

/** How a connection ends: by itself, or because it is closed, after which nothing is heard of it. */
function createEnding(): Ending {
  let isClosed = false;
  let lose: (detail: string) => void = () => undefined;
  const lost = new Promise<string>((resolve) => (lose = (detail) => (isClosed ? undefined : resolve(detail))));
  return {
    lost,
    lose: (detail) => lose(detail),
    isClosed: () => isClosed,
    close(act) {
      isClosed = true;
      return act();
    },
  };
}

/**
 * Tells a companion that the session is over, and waits no longer than a moment for one that does not listen. A program
 * that was started for it is ended.
 */
async function leave(client: InstanceType<Mcp['Client']>, {transport, end}: Way): Promise<void> {
  const wait = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref());
  if ('terminateSession' in transport)
    await Promise.race([transport.terminateSession().catch(() => undefined), wait()]);
  const child = 'pid' in transport ? transport.pid : null;
  if (child) endProcess(child, 'SIGTERM');
  await Promise.race([client.close().catch(() => undefined), wait()]);
  if (child) endProcess(child, 'SIGKILL');
  end();
}

function endProcess(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    kill(pid, signal);
  } catch (error) {
    // It has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Hands notifications on as they come; resolves with the first that tells what is open. */
function firstNews(client: InstanceType<Mcp['Client']>, hear: HearNews): Promise<void> {
  return new Promise((resolve) => {
    client.fallbackNotificationHandler = ({method, params}) => {
      hear(method, params);
      if (method === notifications.contextUpdate) resolve();
      return Promise.resolve();
    };
  });
}

/** What a connection goes over, and how that is put away. */
interface Way {
  readonly transport: InstanceType<Mcp['StreamableHTTPClientTransport'] | Mcp['StdioClientTransport']>;
  end(): void;
}

interface WayRequest extends Pick<OpenRequest, 'editor'>, Pick<Environment, 'platform'> {
  readonly host: string;
  lose(detail: string): void;
}

function makeTransport(mcp: Mcp, {editor: {endpoint, info}, host, platform, lose}: WayRequest): Way {
  if (endpoint.kind === 'stdio')
    return {
      transport: new mcp.StdioClientTransport({command: endpoint.command, args: [...endpoint.args], stderr: 'ignore'}),
      end: () => undefined,
    };
  const {port, token} = endpoint;
  const direct = createDirectFetch({
    onStreamEnd: () => lose('its stream of news has ended'),
    onFlood: () => lose('it asks more than anybody can answer'),
    findFault() {
      const fault = isHere(host) ? findForeignPort({port, editor: info.displayName, platform}) : undefined;
      return fault && new ConnectionFault(fault);
    },
  });
  const transport = new mcp.StreamableHTTPClientTransport(new URL(`http://${host}:${port}/mcp`), {
    fetch: direct.fetch,
    requestInit: {headers: token === undefined ? {} : {Authorization: `Bearer ${token}`}},
    // A stream that is over is a connection that is over: who holds it looks around anew, for the editor may have
    // another port by then.
    reconnectionOptions: {
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
  return {transport, end: direct.close};
}

/**
 * A companion that was started anew behind the same port, or has given up the session, knows neither token nor session.
 */
function isForgotten(mcp: Mcp, error: unknown): boolean {
  return error instanceof mcp.StreamableHTTPError && [400, 401, 403, 404].includes(error.code ?? 0);
}

/** A companion need not list its tools, and then has none. */
async function listTools(
  mcp: Mcp,
  client: InstanceType<Mcp['Client']>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  try {
    const {tools} = await client.listTools(undefined, {signal});
    return new Set(tools.map(({name}) => name));
  } catch (error) {
    if (error instanceof mcp.McpError && error.code === Number(mcp.ErrorCode.MethodNotFound)) return new Set();
    throw error;
  }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (part as {readonly text?: unknown} | null)?.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}
