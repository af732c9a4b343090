import {stat} from 'node:fs/promises';
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
import {ChangeStream} from './change-stream.js';
import {findChangedFile} from './check-integrity.js';
import {ConnectFault, reasonOf, unavailable} from './mcp-errors.js';
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
  let step: ConnectFault['step'] = 'handshake';
  for (const attempt of attemptsFor(request.config.way)) {
    const transport = await makeTransport(sdk, attempt.kind, request);
    try {
      return await shakeHands(sdk, transport, attempt.mode, request);
    } catch (error) {
      await transport.close().catch(() => undefined);
      request.signal.throwIfAborted();
      if (findLoginNeeded(error)) throw error;
      faults.push(await describeFault(attempt, transport, error, request));
      step = stepOf(transport, error);
      if (!attempt.continues(error, sdk)) break;
    }
  }
  throw unavailable(request.config.name, faults.join('; '), new ConnectFault(step));
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

/** ECONNREFUSED, EAI_AGAIN, SELF_SIGNED_CERT_IN_CHAIN; not ERA_NEGOTIATION_FAILED, which is a code of the SDK. */
const OF_SYSTEM =
  /^(?:E(?:AI_)?[A-Z0-9]+|UND_ERR_\w+|ERR_(?:TLS|SSL)_\w+|\w*(?:CERT|CRL)\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/;

/** The system's code, also of an error that wraps it. */
export function codeOf(error: unknown): string {
  let one = error;
  for (let depth = 0; isTable(one) && depth < 4; depth += 1) {
    const {code, cause} = one;
    if (typeof code === 'string' && OF_SYSTEM.test(code)) return code;
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
    if (changed !== undefined) throw unavailable(config.name, changed, new ConnectFault('program'));
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
  keepListening(client, ending.signal, ears);
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

/** Over the stateless revision, changes of lists come on a stream that the SDK opens, but not again. */
function keepListening(client: Client, ended: AbortSignal, ears: ServerEars): void {
  const opened = client.autoOpenedSubscription;
  if (!opened) return;
  const filter = opened.honoredFilter;
  new ChangeStream({client, ended, filter: () => filter, resumed: () => ears.changed()}).take(opened);
}

function endOf(transport: Transport): string {
  return transport instanceof StdioTransport ? (transport.ended ?? 'ended') : 'closed the connection';
}

function stepOf(transport: Transport, error: unknown): ConnectFault['step'] {
  if (!(transport instanceof StdioTransport)) return isUnreachable(error) ? 'address' : 'handshake';
  if (isMissing(error)) return 'program';
  return transport.hasEnded ? 'start' : 'handshake';
}

/** Why a program cannot be started; undefined when it could. */
async function describeMissing(
  {command, cwd = '.'}: Extract<Way, {kind: 'stdio'}>,
  error: unknown,
  place: string,
): Promise<string | undefined> {
  if (codeOf(error) === 'EACCES') return `cannot start "${command}": it may not be executed`;
  if (codeOf(error) !== 'ENOENT') return undefined;
  const folder = await stat(resolve(place, cwd)).catch(() => undefined);
  return `cannot start "${command}": ${folder ? 'there is no such program' : `its directory ${cwd} does not exist`}`;
}

async function describeFault(
  {kind}: Attempt,
  transport: Transport,
  error: unknown,
  {config, environment, network, log}: OpenRequest,
): Promise<string> {
  const {way} = config;
  if (way.kind === 'stdio') {
    const missing = await describeMissing(way, error, environment.cwd);
    if (missing !== undefined) return missing;
    const ended = transport instanceof StdioTransport && transport.hasEnded ? transport.ended : undefined;
    const said = log.lastLine();
    const reason = ended === undefined ? reasonOf(error) : `the server ${ended}`;
    return said === undefined ? reason : `${reason}; its last output was "${said}"`;
  }
  const label = kind === 'sse' ? 'SSE' : 'HTTP';
  if (codeOf(error) === '') return `${label}: ${reasonOf(error)}`;
  const {message} = await network.explain(way.url, error);
  return `${label}: ${message.replace(/\.$/, '')}`;
}
