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

/** How long a companion may take to answer the first request. */
const HELLO_MS = 2500;
/** How long to wait for the first context, so that a prompt sent at once includes it. */
const FIRST_NEWS_MS = 100;
const LEAVE_MS = 300;

/**
 * Connects to one editor and learns what it supports. Throws ConnectionFault with the reason, or the signal's reason.
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
  // eslint-disable-next-line house/late-promises -- It never rejects.
  const first = firstNews(client, (method, parameters) => {
    if (!ending.isClosed()) hear(method, parameters);
  });
  client.onclose = () => ending.lose('the companion has ended');
  // A faulty message ends nothing; the end of the stream has its own notification.
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
          if (isForgotten(mcp, error)) ending.lose('it no longer knows the session');
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
  /** Resolves with the reason when the connection ends without being closed. */
  readonly lost: Promise<string>;
  lose(detail: string): void;
  isClosed(): boolean;
  close(act: () => Promise<void>): Promise<void>;
}

/** How a connection ends: on its own, or because it is closed; after that it reports nothing. */
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
 * Ends the session with the companion, waiting only a moment for one that does not respond. Ends a program that was
 * started for it.
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

/** Passes on notifications as they arrive; resolves with the first one that reports what is open. */
function firstNews(client: InstanceType<Mcp['Client']>, hear: HearNews): Promise<void> {
  return new Promise((resolve) => {
    client.fallbackNotificationHandler = ({method, params}) => {
      hear(method, params);
      if (method === notifications.contextUpdate) resolve();
      return Promise.resolve();
    };
  });
}

/** The transport of a connection, and how to close it. */
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
    onStreamEnd: () => lose('its event stream has ended'),
    onFlood: () => lose('it sends too many requests'),
    findFault() {
      const fault = isHere(host) ? findForeignPort({port, editor: info.displayName, platform}) : undefined;
      return fault && new ConnectionFault(fault);
    },
  });
  const transport = new mcp.StreamableHTTPClientTransport(new URL(`http://${host}:${port}/mcp`), {
    fetch: direct.fetch,
    requestInit: {headers: token === undefined ? {} : {Authorization: `Bearer ${token}`}},
    // The end of the stream ends the connection: the owner then looks for the editor again, which may have another
    // port.
    reconnectionOptions: {
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
  return {transport, end: direct.close};
}

/** A companion that was restarted behind the same port, or has dropped the session, knows neither token nor session. */
function isForgotten(mcp: Mcp, error: unknown): boolean {
  return error instanceof mcp.StreamableHTTPError && [400, 401, 403, 404].includes(error.code ?? 0);
}

/** A companion need not list its tools; it then has no tools. */
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
