import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import type {Readable} from 'node:stream';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import type {ScriptedAnswer, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {startGrpcCollector, startHttpCollector} from '../helpers/collector.js';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';
import type {Bench, Outcome} from './measure.js';

const TURNS = 20;
const ROUNDS = 21;
/** How long the model takes for an answer: a run of twenty turns in less than a second would not be one. */
const ANSWER_MS = 60;
const cpuHook = fileURLToPath(new URL('../../bench/report-cpu.cjs', import.meta.url));

/** Where records go, and how that place is. */
interface Receiver {
  readonly telemetry: Readonly<Record<string, unknown>>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a run took: milliseconds of the processor, to the first request, and from the last answer to its end. */
interface Taken {
  readonly cpu: number;
  readonly first: number;
  readonly end: number;
}

/** Reads a file again and again, then is done. */
async function script({messages}: SeenRequest): Promise<ScriptedAnswer> {
  await setTimeout(ANSWER_MS);
  const turn = messages.filter(({role}) => role === 'model').length;
  return turn < TURNS ? callsTools(['read_file', {file_path: `f${turn}.txt`}]) : says('Done.');
}

async function living(kind: 'grpc' | 'http'): Promise<Receiver> {
  const collector = await (kind === 'grpc' ? startGrpcCollector() : startHttpCollector());
  return {
    telemetry: {otlpEndpoint: collector.url, otlpProtocol: kind},
    [Symbol.asyncDispose]: () => collector[Symbol.asyncDispose](),
  };
}

/** A port that nothing listens at. */
async function dead(): Promise<Receiver> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  server.close();
  return {
    telemetry: {otlpEndpoint: `http://127.0.0.1:${port}`, otlpProtocol: 'grpc'},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Takes connections, and says nothing. */
async function mute(): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    telemetry: {
      otlpEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      otlpProtocol: 'grpc',
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function runOnce(place: AgentPlace, home: string): Promise<Taken> {
  const before = place.server.requests.length;
  const started = performance.now();
  const words = [join(checkout, 'bin', 'gemini.cjs'), '-m', 'model-a', '-p', 'Read the files.'];
  const variables = {GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: place.server.url};
  const child = spawn(process.execPath, ['--require', cpuHook, ...words], {
    cwd: place.project,
    env: isolate(home, variables),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = Promise.all([text(child.stdio[3] as Readable), once(child, 'close')]);
  await place.server.arrived(before + 1);
  const first = performance.now() - started;
  await place.server.arrived(before + TURNS + 1);
  await place.server.requests.at(-1)?.end;
  const answered = performance.now();
  const [said, [code]] = await ended;
  if (code !== 0) throw new Error(`The run ended with ${String(code)}.`);
  return {cpu: Number(said) / 1000, first, end: performance.now() - answered};
}

/** The mean of the middle half: it varies less than the median, and what happens once in a while does not count. */
function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  const half = sorted.slice(quarter, sorted.length - quarter);
  return half.reduce((sum, value) => sum + value, 0) / half.length;
}

/** Runs with telemetry and without it in turns, in homes of their own; gives both in each measure. */
async function compare(
  open: () => Promise<Receiver>,
): Promise<Record<keyof Taken, readonly [on: number, off: number]>> {
  await using receiver = await open();
  const files = Object.fromEntries(
    Array.from({length: TURNS}, (_, index) => [`f${index}.txt`, 'A line.\n'.repeat(50)]),
  );
  await using place = await openAgentPlace({script, files});
  const homes = await Promise.all(
    [true, false].map(async (enabled) => {
      const home = join(place.home, String(enabled));
      await mkdir(join(home, '.gemini'), {recursive: true});
      const settings = {ui: {mode: 'console'}, telemetry: {...receiver.telemetry, enabled}};
      await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
      return home;
    }),
  );
  const [withIt = '', without = ''] = homes;
  for (const home of homes) await runOnce(place, home);
  const pairs: (readonly [on: Taken, off: Taken])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // In turns, so that neither side is always the first.
    const isFirst = round % 2 === 0;
    const one = await runOnce(place, isFirst ? withIt : without);
    const other = await runOnce(place, isFirst ? without : withIt);
    pairs.push(isFirst ? [one, other] : [other, one]);
  }
  const middle = (key: keyof Taken): readonly [number, number] => {
    const off = middleOf(pairs.map(([, taken]) => taken[key]));
    // The difference of pairs: what slows the machine down slows both.
    return [off + middleOf(pairs.map(([on, taken]) => on[key] - taken[key])), off];
  };
  return {cpu: middle('cpu'), first: middle('first'), end: middle('end')};
}

const receivers = {
  'a collector over gRPC': () => living('grpc'),
  'a collector over HTTP': () => living('http'),
  'a port that refuses': dead,
  'a collector that hangs': mute,
} as const;

const PARTS = {
  cpu: {what: `processor time of a run of ${TURNS} turns`, atMost: 1.03, of: 'the same without', isRatio: true},
  first: {what: 'to the first request', atMost: 15, of: 'a millisecond more than without', isRatio: false},
  end: {what: 'from the last answer to the end', atMost: 50, of: 'a millisecond more than without', isRatio: false},
} as const;

/** What telemetry costs while it is on. Each receiver is measured once, and has a line for each part. */
export const telemetry: readonly Bench[] = Object.entries(receivers).flatMap(([receiver, open]) => {
  let measured: ReturnType<typeof compare> | undefined;
  return (['cpu', 'first', 'end'] as const).map((part): Bench => {
    const {what, atMost, of, isRatio} = PARTS[part];
    return {
      name: `telemetry to ${receiver}: ${what}`,
      target: {atMost, of},
      async run(): Promise<Outcome> {
        const [on, off] = (await (measured ??= compare(open)))[part];
        return {
          ratio: isRatio ? on / off : on - off,
          detail: `${on.toFixed(1)} ms against ${off.toFixed(1)} ms, the middle half of ${ROUNDS} pairs`,
        };
      },
    };
  });
});
