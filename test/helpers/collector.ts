import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import type {AddressInfo} from 'node:net';
import {Server, ServerCredentials, type MethodDefinition} from '@grpc/grpc-js';

/** An object of the protocol, as the definitions of OpenTelemetry have it. */
export type Otlp = Readonly<Record<string, unknown>>;

export interface Received {
  readonly signal: 'trace' | 'logs' | 'metrics';
  readonly body: Otlp;
  /** Headers of HTTP, or metadata of gRPC. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A collector on loopback that keeps what it gets. */
export interface Collector {
  readonly url: string;
  readonly received: readonly Received[];
  /** Spans, log records or metrics of everything that arrived. */
  all(signal: Received['signal']): readonly Otlp[];
  [Symbol.asyncDispose](): Promise<void>;
}

interface Decoder {
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): Otlp;
}

const SIGNALS = ['trace', 'logs', 'metrics'] as const;
const PATHS = {
  trace: ['resourceSpans', 'scopeSpans', 'spans'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
} as const;

function listAll(received: readonly Received[], signal: Received['signal']): readonly Otlp[] {
  return PATHS[signal].reduce<readonly Otlp[]>(
    (all, key) => all.flatMap((one) => (one[key] as readonly Otlp[] | undefined) ?? []),
    received.filter((one) => one.signal === signal).map(({body}) => body),
  );
}

/** Speaks gRPC by the library of its makers, and reads messages by the definitions of OpenTelemetry. */
export async function startGrpcCollector(state?: () => number): Promise<Collector> {
  const received: Received[] = [];
  const server = new Server();
  const {collector} = (
    createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js') as {
      readonly opentelemetry: {readonly proto: {readonly collector: Readonly<Record<string, unknown>>}};
    }
  ).opentelemetry.proto;
  for (const signal of SIGNALS) {
    const name = `${signal.charAt(0).toUpperCase()}${signal.slice(1)}`;
    const types = (collector[signal] as {readonly v1: Readonly<Record<string, Decoder>>}).v1;
    const decoder = types[`Export${name}ServiceRequest`];
    if (!decoder) throw new Error(`There is no definition of ${name}.`);
    const method: MethodDefinition<Otlp, Buffer> = {
      path: `/opentelemetry.proto.collector.${signal}.v1.${name}Service/Export`,
      requestStream: false,
      responseStream: false,
      requestSerialize: () => Buffer.alloc(0),
      requestDeserialize: (bytes) => decoder.toObject(decoder.decode(bytes), {longs: String, bytes: String}),
      responseSerialize: (bytes) => bytes,
      responseDeserialize: (bytes) => bytes,
    };
    server.addService(
      {Export: method},
      {
        Export: (call: {readonly request: Otlp; readonly metadata: {getMap(): object}}, answer: Answer) => {
          const code = state?.() ?? 0;
          if (code !== 0) return answer({code, details: 'as the test says'});
          received.push({signal, body: call.request, headers: {...call.metadata.getMap()}});
          answer(null, Buffer.alloc(0));
        },
      },
    );
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    all: (signal) => listAll(received, signal),
    [Symbol.asyncDispose]: () => Promise.resolve(server.forceShutdown()),
  };
}

type Answer = (error: {readonly code: number; readonly details: string} | null, bytes?: Buffer) => void;

/** Speaks HTTP and JSON; `status` says how it answers. */
export async function startHttpCollector(status: () => number = () => 200): Promise<Collector> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const code = status();
      // A collector that never answers.
      if (code === 0) return;
      const signal = SIGNALS.find((one) => request.url?.endsWith(`/v1/${one === 'trace' ? 'traces' : one}`));
      if (signal && code === 200)
        received.push({signal, body: JSON.parse(Buffer.concat(parts).toString()) as Otlp, headers: request.headers});
      response.writeHead(signal ? code : 404, {'content-type': 'application/json'}).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    all: (signal) => listAll(received, signal),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Attributes of OTLP as an object. */
export function attributesOf(record: Otlp | undefined): Otlp {
  const pairs = (record?.['attributes'] ?? []) as readonly {readonly key: string; readonly value: Otlp}[];
  return Object.fromEntries(
    pairs.map(({key, value}) => {
      const [kind = '', one] = Object.entries(value)[0] ?? [];
      return [key, kind === 'intValue' ? Number(one) : one];
    }),
  );
}
