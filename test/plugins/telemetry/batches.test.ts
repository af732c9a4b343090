import {createRequire} from 'node:module';
import {expect, test} from '@jest/globals';
import type {Attributes, LogRecord} from '#plugins/telemetry/dist/record/records.js';
import {requestOf} from '#plugins/telemetry/dist/send/otlp/messages.js';
import {toRequests} from '#plugins/telemetry/dist/send/otlp/otlp-json.js';
import {toProtobuf} from '#plugins/telemetry/dist/send/otlp/to-protobuf.js';
import {Queue} from '#plugins/telemetry/dist/send/queue.js';
import {Waiting} from '#plugins/telemetry/dist/send/waiting.js';
import {attributesOf, type Otlp} from '../../helpers/collector.js';

interface Definitions {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly logs: {readonly v1: {readonly ExportLogsServiceRequest: Decoder}};
      };
    };
  };
}

interface Decoder {
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): Otlp;
}

const definitions = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
) as Definitions;

function logOf(attributes: Attributes, body = 'x'): LogRecord {
  return {time: 1_700_000_000_123.5, name: 'event', body, attributes, traceId: 'a'.repeat(32), spanId: 'b'.repeat(16)};
}

/** The log records of a batch, as the definitions of OpenTelemetry read them. */
function decode(logs: readonly LogRecord[]): readonly Otlp[] {
  const [request] = toRequests({spans: [], logs, metrics: []}, {resource: {shared: 'one'}, started: 0});
  const type = definitions.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
  const read = type.toObject(type.decode(toProtobuf(requestOf.logs, request?.body ?? {})), {
    longs: String,
    bytes: String,
  });
  const [resource] = read['resourceLogs'] as readonly Otlp[];
  expect(attributesOf(resource?.['resource'] as Otlp)).toEqual({shared: 'one'});
  const [scope] = resource?.['scopeLogs'] as readonly Otlp[];
  return scope?.['logRecords'] as readonly Otlp[];
}

test('protobuf says what was recorded: long texts, other scripts, numbers of each kind, attributes again [telemetry.otlp]', () => {
  const long = 'ä→🦉'.repeat(50_000);
  const odd = {negative: -1, large: Number.MAX_SAFE_INTEGER, half: 0.5, empty: '', no: false, list: ['a', '']};
  const all = [{shared: 'one', long}, odd, {shared: 'one'}, {shared: 'two', ...odd}, {...odd, long}];
  const read = decode(all.map((attributes) => logOf(attributes)));
  expect(read.map((record) => attributesOf(record))).toEqual(
    all.map((attributes) => ({
      ...attributes,
      ...('list' in attributes ? {list: {values: [{stringValue: 'a'}, {stringValue: ''}]}} : {}),
    })),
  );
  expect(read[0]).toMatchObject({
    timeUnixNano: '1700000000123500000',
    traceId: Buffer.from('a'.repeat(32), 'hex').toString('base64'),
    body: {stringValue: 'x'},
  });
});

test('what waits is bounded in number and in characters, and the newest is kept [telemetry.bounded]', () => {
  const many = new Waiting<LogRecord>();
  for (let index = 0; index < 5000; index += 1) many.push(logOf({index}));
  expect({length: many.length, dropped: many.dropped}).toEqual({length: 2048, dropped: 2952});
  many.putBack(Array.from({length: 10}, () => logOf({})));
  expect(many.take().at(-1)?.attributes).toEqual({index: 4999});
  const large = new Waiting<LogRecord>();
  const text = 'x'.repeat(1_048_576);
  for (let index = 0; index < 20; index += 1) large.push(logOf({index, list: [text, text]}));
  expect({length: large.length, dropped: large.dropped}).toEqual({length: 4, dropped: 16});
  large.push(logOf({list: Array.from({length: 20}, () => text)}));
  expect({length: large.length, dropped: large.dropped}).toEqual({length: 0, dropped: 21});
});

test('a collector that says nothing costs one notice, and no more records than may wait [telemetry.bounded]', async () => {
  const said: string[] = [];
  const queue = new Queue({
    sink: {
      name: 'it',
      send: (_, signal) =>
        new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('late')), {once: true})),
      close: () => Promise.resolve(),
    },
    onFailure: (message) => said.push(message),
  });
  for (let index = 0; index < 10_000; index += 1) queue.log(logOf({index}));
  expect(queue.waiting).toBeLessThanOrEqual(2048);
  const began = performance.now();
  await queue.finish();
  await queue.finish();
  expect(performance.now() - began).toBeLessThan(2500);
  expect(said).toEqual(['late']);
  await queue.close();
});
