import {resolve} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';
import type {ProcessGroups} from '@gemini-kernel/processes';
import type {Fetch} from '../auth/guarded-fetch.js';
import {findLoginNeeded} from '../auth/login-needed.js';
import {isTable} from '../config/is-table.js';
import type {ServerConfig, Way} from '../config/server-config.js';
import type {Client, Transport} from '../sdk/client.js';
import {answerServer, capabilitiesFor, type ServerEars} from './answer-server.js';
import {findChangedFile} from './check-integrity.js';
import {reasonOf, unavailable} from './mcp-errors.js';
import type {ServerLog} from './server-log.js';
import {StdioTransport} from './stdio-transport.js';

type Sdk = typeof import('../sdk/client.js');

export interface OpenRequest {
  readonly config: ServerConfig;
  readonly environment: Pick<Environment, 'cwd' | 'variables' | 'platform'>;
  readonly version: string;
  readonly network: Pick<Network, 'explain'>;
  /** Requests to a server at an address, with its token. */
  fetchFor(config: ServerConfig, sdk: Sdk): Promise<Fetch>;
  /** What servers that are programs run in; made for the first of them. */
  processes(): Promise<ProcessGroups>;
  /** The program as it is started where servers run in the sandbox. */
  confine(program: Program): Promise<Program | Confined>;
  readonly log: ServerLog;
  readonly ears: ServerEars;
  readonly signal: AbortSignal;
}

/** A server that has answered the handshake. */
export interface OpenServer {
  readonly client: Client;
  readonly sdk: Sdk;
  readonly protocol: string;
  /** Its own name and version. */
  readonly title: string;
  /** Aborted when the connection has ended; the reason ends a sentence. */
  readonly ended: AbortSignal;
  close(): Promise<void>;
}

/** How long a server may take to say which revision it speaks before it is taken for an older one. */
const PROBE_MS = 4000;

/** Starts or reaches a server. Throws ToolError MCP_SERVER_UNAVAILABLE, or an error that is caused by LoginNeeded. */
export async function openServer(request: OpenRequest): Promise<OpenServer> {
  const sdk = await import('#sdk');
  const faults: string[] = [];
  for (const attempt of attemptsFor(request.config.way)) {
    const transport = await makeTransport(sdk, attempt.kind, request);
    try {
      return await shakeHands(sdk, transport, attempt.mode, request);
    } catch (error) {
      await transport.close().catch(() => undefined);
      request.signal.throwIfAborted();
      if (findLoginNeeded(error)) throw error;
      faults.push(await describeFault(attempt, transport, error, request));
      if (!attempt.continues(error, sdk)) break;
    }
  }
  throw unavailable(request.config.name, faults.join('; '));
}

interface Attempt {
  readonly kind: 'stdio' | 'http' | 'sse';
  readonly mode: 'auto' | 'legacy';
  /** Whether the next attempt may succeed where this one failed. */
  continues(error: unknown, sdk: Sdk): boolean;
}

/** What to try, in this order. */
function attemptsFor(way: Way): readonly Attempt[] {
  const last = {continues: (): boolean => false};
  // A server of an older revision may end when the first message is one that it does not know.
  if (way.kind === 'stdio')
    return [
      {kind: 'stdio', mode: 'auto', continues: (error) => !isMissing(error)},
      {kind: 'stdio', mode: 'legacy', ...last},
    ];
  if (way.kind === 'sse') return [{kind: 'sse', mode: 'legacy', ...last}];
  if (way.kind === 'http') return [{kind: 'http', mode: 'auto', ...last}];
  return [
    {kind: 'http', mode: 'auto', continues: (error, sdk) => !isUnauthorised(error, sdk) && !isUnreachable(error)},
    {kind: 'sse', mode: 'legacy', ...last},
  ];
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'EACCES', 'ENOTDIR'].includes(codeOf(error));
}

function isUnreachable(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(codeOf(error));
}

/** The system's code, also of an error that wraps it. */
export function codeOf(error: unknown): string {
  let one = error;
  for (let depth = 0; isTable(one) && depth < 4; depth += 1) {
    const {code, cause} = one;
    if (typeof code === 'string' && code.startsWith('E')) return code;
    one = cause;
  }
  return '';
}

export function isUnauthorised(error: unknown, {UnauthorizedError, SdkHttpError}: Sdk): boolean {
  return error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401);
}

async function makeTransport(sdk: Sdk, kind: Attempt['kind'], request: OpenRequest): Promise<Transport> {
  const {config, environment, log} = request;
  const {way} = config;
  if (way.kind === 'stdio') {
    const {command, args, env, cwd = '.', integrity = {}} = way;
    const changed = await findChangedFile(integrity, resolve(environment.cwd, cwd));
    if (changed !== undefined) throw unavailable(config.name, changed);
    const {passedVariables} = await import('@gemini-kernel/processes');
    const program = {
      file: command,
      args,
      variables: passedVariables(environment.variables, env),
      cwd: resolve(environment.cwd, cwd),
    };
    return new StdioTransport({
      program: await request.confine(program),
      processes: await request.processes(),
      log,
      spawn: sdk.spawn,
    });
  }
  const options = {
    requestInit: {headers: {...way.headers}},
    fetch: await request.fetchFor(config, sdk),
  };
  const url = new URL(way.url);
  return kind === 'sse'
    ? new sdk.SSEClientTransport(url, options)
    : new sdk.StreamableHTTPClientTransport(url, options);
}

async function shakeHands(
  sdk: Sdk,
  transport: Transport,
  mode: Attempt['mode'],
  {config, version, ears, log, signal}: OpenRequest,
): Promise<OpenServer> {
  const changed = {autoRefresh: false, debounceMs: 50, onChanged: () => ears.changed()};
  const client = new sdk.Client(
    {name: 'gemini', version},
    {
      capabilities: capabilitiesFor(ears),
      versionNegotiation: {mode, probe: {timeoutMs: PROBE_MS}},
      listChanged: {tools: changed, prompts: changed, resources: changed},
    },
  );
  answerServer(sdk, client, ears, log);
  const ending = new AbortController();
  client.onclose = () => ending.abort(endOf(transport));
  client.onerror = (error) => log.write(`[protocol] ${reasonOf(error)}\n`);
  await client.connect(transport, {signal, timeout: config.timeoutMs});
  const {name = 'a server', version: own = 'without a version'} = client.getServerVersion() ?? {};
  return {
    client,
    sdk,
    protocol: client.getNegotiatedProtocolVersion() ?? 'unknown',
    title: `${name} ${own}`,
    ended: ending.signal,
    close: () => client.close(),
  };
}

function endOf(transport: Transport): string {
  return transport instanceof StdioTransport ? (transport.ended ?? 'ended') : 'closed the connection';
}

async function describeFault(
  {kind}: Attempt,
  transport: Transport,
  error: unknown,
  {config, network, log}: OpenRequest,
): Promise<string> {
  const {way} = config;
  if (way.kind === 'stdio') {
    if (codeOf(error) === 'ENOENT') return `cannot start "${way.command}": there is no such program`;
    if (codeOf(error) === 'EACCES') return `cannot start "${way.command}": it may not be executed`;
    const ended = transport instanceof StdioTransport ? transport.ended : undefined;
    const said = log.lastLine();
    const reason = ended !== undefined && ended !== 'was closed' ? `the server ${ended}` : reasonOf(error);
    return said === undefined ? reason : `${reason}; its last output was "${said}"`;
  }
  const label = kind === 'sse' ? 'SSE' : 'HTTP';
  if (codeOf(error) === '') return `${label}: ${reasonOf(error)}`;
  const {message} = await network.explain(way.url, error);
  return `${label}: ${message.replace(/\.$/, '')}`;
}
