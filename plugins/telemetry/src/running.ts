import {createRequire} from 'node:module';
import type {Server} from 'node:http';
import {arch, hostname, type as systemName} from 'node:os';
import {pid, uptime, version as nodeVersion} from 'node:process';
import {messageOf, type Tell} from '@gemini-kernel/kernel';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Secrets} from '@gemini-kernel/plugin-secrets/contract';
import type {TelemetryStatus, WorkMeasure, WorkSpan} from './contract.js';
import type {Options} from './options.js';
import {Content} from './record/content.js';
import {newSpanId, readParent} from './record/ids.js';
import {parentOfWork, recordWork} from './record/moments/work.js';
import {Recorder} from './record/recorder.js';
import type {Attributes, Sink, Source} from './record/records.js';
import {noSink} from './send/no-sink.js';
import {Queue} from './send/queue.js';

interface Surroundings {
  readonly network: Network | undefined;
  readonly secrets: Pick<Secrets, 'scrub'> | undefined;
  readonly tell: Tell;
}

/** What records and sends, once telemetry is on. */
export interface Running {
  readonly recorder: Recorder;
  parentOfWork(trace: string, id: string): string;
  takeWork(spans: readonly WorkSpan[], measures: readonly WorkMeasure[]): void;
  counts(): Pick<TelemetryStatus, 'sent' | 'waiting' | 'dropped' | 'failure'>;
  /** Sends one record: undefined when it arrived, else why not. */
  check(): Promise<string | undefined>;
  /** The session has ended: what is recorded should arrive. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export async function start(options: Options, {network, secrets, tell}: Surroundings): Promise<Running> {
  const source = describeSource(options);
  const sink = await openSink(options, {source, network});
  const queue = new Queue({
    sink,
    onFailure: (why) =>
      tell({code: 'TELEMETRY_FAILED', sentence: `Telemetry does not reach ${sink.name}. ${why}`, once: 'telemetry'}),
  });
  const {withPrompts, withTraces} = options;
  if (withPrompts && !secrets)
    tell({code: 'TELEMETRY_FAULT', sentence: 'No plugin takes secrets out of texts, so that telemetry has none.'});
  const recorder = new Recorder({
    out: queue,
    content: new Content(withPrompts, secrets),
    messages: new Content(withPrompts && withTraces, secrets),
    // Readers of files look for it there. A collector gets messages in spans, for those who want them.
    requests: new Content(withPrompts && options.file !== undefined, secrets),
    parent: readParent(options.parent),
    config: {log_user_prompts_enabled: withPrompts, traces_enabled: withTraces},
    now: Date.now,
  });
  const server = await openServer(options.port, {queue, tell});
  return {
    recorder,
    parentOfWork,
    takeWork: (spans, measures) => recordWork(queue, spans, measures),
    counts: () => ({
      ...{sent: queue.sent, waiting: queue.waiting, dropped: queue.dropped},
      ...(queue.failure === undefined ? {} : {failure: queue.failure}),
    }),
    async check() {
      const name = 'gemini.telemetry_check';
      const body = 'A record that shows whether telemetry arrives.';
      queue.log({time: Date.now(), name, body, attributes: {'event.name': name}});
      await queue.flush();
      return queue.failure;
    },
    finish: () => queue.finish(),
    async close() {
      // Work outside sessions has no other end.
      await queue.finish();
      server?.close();
      server?.closeAllConnections();
      await queue.close();
    },
  };
}

/** Who sends: never the line the program was started with, which can have a prompt in it. */
function describeSource({resource}: Options): Source {
  const {version} = createRequire(import.meta.url)('../package.json') as {readonly version: string};
  const own: Attributes = {
    'service.name': 'gemini-cli',
    'service.version': version,
    'service.instance.id': newSpanId(),
    'host.name': hostname(),
    'host.arch': arch(),
    'os.type': systemName().toLowerCase(),
    'process.pid': pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': nodeVersion.replace(/^v/, ''),
  };
  return {resource: {...own, ...resource}, started: Date.now() - uptime() * 1000};
}

/** Imports the one way of sending that is used: `node:http2` alone takes longer to load than a session to record. */
async function openSink(
  {file, endpoint, protocol, headers, layout, google}: Options,
  {source, network}: {readonly source: Source; readonly network: Network | undefined},
): Promise<Sink> {
  if (file !== undefined) return new (await import('./send/file/file-sink.js')).FileSink(file, layout, source);
  if (endpoint === undefined || !network) return noSink;
  const target = {endpoint, headers, network, source};
  if (google) {
    const {createAuthorize} = await import('./send/google/authorize.js');
    const {HttpSink} = await import('./send/otlp/http-sink.js');
    return new HttpSink({...target, authorize: createAuthorize(google, network)});
  }
  if (protocol === 'http') return new (await import('./send/otlp/http-sink.js')).HttpSink(target);
  return new (await import('./send/otlp/grpc-sink.js')).GrpcSink(target);
}

async function openServer(
  port: number,
  {queue, tell}: {readonly queue: Queue; readonly tell: Tell},
): Promise<Server | undefined> {
  if (port === 0) return undefined;
  try {
    const {serveMetrics} = await import('./send/prometheus/metrics-server.js');
    return await serveMetrics(port, () => queue.meter.read());
  } catch (error) {
    const sentence = `Port ${port} of telemetry.prometheusPort cannot be used: ${messageOf(error)}`;
    tell({code: 'TELEMETRY_FAULT', sentence, once: 'prometheus'});
    return undefined;
  }
}
