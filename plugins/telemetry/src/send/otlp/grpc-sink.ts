import type {ClientHttp2Session} from 'node:http2';
import type {Duplex} from 'node:stream';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Batch, Sink, Source} from '../../record/records.js';
import {LATE, SendFailure} from '../send-failure.js';
import {sendAll} from '../send-all.js';
import {requestOf} from './messages.js';
import {toRequests, type Message, type Signal} from './otlp-json.js';
import {toProtobuf} from './to-protobuf.js';

interface Target {
  /** Only its host and its protocol count. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly network: Network;
  readonly source: Source;
}

const SERVICES: Readonly<Record<Signal, string>> = {traces: 'trace', logs: 'logs', metrics: 'metrics'};
const NAMES: Readonly<Record<Signal, string>> = {traces: 'Trace', logs: 'Logs', metrics: 'Metrics'};
/** States of gRPC after which the same batch may arrive: cancelled, deadline, exhausted, aborted, range, down, loss. */
const LATER: ReadonlySet<number> = new Set([1, 4, 8, 10, 11, 14, 15]);
const UNKNOWN = 2;
/** The code of HTTP/2 for a call that is no longer wanted. */
const CANCEL = 8;
const MOST_WORDS = 300;

/** Sends to a collector over gRPC: one call for each signal, on one connection. */
export class GrpcSink implements Sink {
  #connection: Promise<ClientHttp2Session> | undefined;

  constructor(private readonly target: Target) {}

  get name(): string {
    return this.target.endpoint;
  }

  async send(batch: Batch, signal: AbortSignal): Promise<void> {
    const connection = await this.#connect(signal).catch((error: unknown) => this.#fail(error, signal));
    await sendAll(toRequests(batch, this.target.source), (request) => this.#call(connection, request, signal));
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    connection?.destroy();
  }

  async #call(
    connection: ClientHttp2Session,
    {signal: kind, body}: {readonly signal: Signal; readonly body: Message},
    signal: AbortSignal,
  ): Promise<void> {
    const {endpoint, headers} = this.target;
    const stream = connection.request({
      ':method': 'POST',
      ':scheme': new URL(endpoint).protocol.replace(':', ''),
      ':authority': new URL(endpoint).host,
      ':path': `/opentelemetry.proto.collector.${SERVICES[kind]}.v1.${NAMES[kind]}Service/Export`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    const abort = (): void => stream.close(CANCEL);
    signal.addEventListener('abort', abort, {once: true});
    try {
      stream.end(frame(toProtobuf(requestOf[kind], body)));
      await readStatus(stream);
    } catch (error) {
      // An answer with a state leaves the connection as it was; after anything else it is not used again.
      if (!(error instanceof SendFailure)) connection.destroy();
      await this.#fail(error, signal);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async #connect(signal: AbortSignal): Promise<ClientHttp2Session> {
    const known = await this.#connection?.catch(() => undefined);
    if (known && !known.closed && !known.destroyed) return known;
    this.#connection = this.#open(signal);
    return this.#connection;
  }

  async #open(signal: AbortSignal): Promise<ClientHttp2Session> {
    const {endpoint, network} = this.target;
    const tunnel = await network.tunnel(endpoint, signal);
    const socket = tunnel && (await encrypt(tunnel, new URL(endpoint)));
    // Loaded with the first batch, which is not there before the first request to a model is on its way.
    const {connect} = await import('node:http2');
    const connection = connect(endpoint, socket ? {createConnection: () => socket} : {});
    return new Promise((resolve, reject) => {
      const abort = (): void => void connection.destroy(new Error('it did not answer in time'));
      signal.addEventListener('abort', abort, {once: true});
      connection.once('connect', () => {
        signal.removeEventListener('abort', abort);
        resolve(connection);
      });
      // Later errors reach the streams; one listener must be there all the same.
      connection.on('error', reject);
    });
  }

  async #fail(error: unknown, {aborted}: AbortSignal): Promise<never> {
    if (aborted) throw new SendFailure(LATE, {canRetry: true});
    if (error instanceof SendFailure) throw error;
    this.#connection = undefined;
    const {message} = await this.target.network.explain(this.target.endpoint, error);
    throw new SendFailure(message, {canRetry: true});
  }
}

async function encrypt(tunnel: Duplex, {protocol, hostname}: URL): Promise<Duplex> {
  if (protocol !== 'https:') return tunnel;
  const {connect} = await import('node:tls');
  return connect({socket: tunnel, servername: hostname, ALPNProtocols: ['h2']});
}

/** One message of gRPC, which is not compressed. */
function frame(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

type Stream = ReturnType<ClientHttp2Session['request']>;

/** Resolves when the collector took the batch. The state is in the trailers, or in the headers of an empty answer. */
async function readStatus(stream: Stream): Promise<void> {
  let headers: Readonly<Record<string, unknown>> = {};
  await new Promise<void>((resolve, reject) => {
    stream.on('response', (given) => (headers = {...headers, ...given}));
    stream.on('trailers', (given) => (headers = {...headers, ...given}));
    stream.on('error', reject);
    stream.on('close', resolve);
    stream.resume();
  });
  const http = Number(headers[':status'] ?? 0);
  const state = Number(headers['grpc-status'] ?? UNKNOWN);
  if (http === 200 && state === 0) return;
  if (http === 0) throw new Error('the connection was closed');
  const words = readWords(String(headers['grpc-message'] ?? ''));
  const said = http === 200 ? `gRPC status ${state}${words === '' ? '' : `: ${words}`}` : `HTTP status ${http}`;
  throw new SendFailure(`The collector answered with ${said}.`, {canRetry: LATER.has(state) || http === 503});
}

/** The message of a state, which is written as in an address. */
function readWords(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, MOST_WORDS);
  } catch {
    return text.slice(0, MOST_WORDS);
  }
}
