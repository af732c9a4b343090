import {Duplex} from 'node:stream';
import {connect} from '#plugins/isolation/dist/wire/connect.js';
import {LARGEST_FRAME} from '#plugins/isolation/dist/wire/frames.js';
import type {Peer} from '#plugins/isolation/dist/wire/peer.js';

/** Numbers that follow from a seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** The end of a connection that belongs to gemini, and what a plugin could do to it. */
class Victim {
  readonly requests: {settled: number}[] = [];
  answered = 0;
  fault: Error | undefined;
  readonly peer: Peer;
  readonly #stream: Duplex;
  readonly #ids: number[] = [];

  constructor() {
    this.#stream = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _, done) => {
        const {id, method} = JSON.parse(chunk.toString('utf8', 4)) as {readonly id: number; readonly method?: string};
        if (method !== undefined) this.#ids.push(id);
        done();
      },
    });
    this.peer = connect(this.#stream, {
      answer: (method, params) => {
        this.answered += 1;
        if (method === 'stream') return endless();
        if (method === 'throw') throw new Error('thrown');
        return params;
      },
      fault: (error) => {
        this.fault ??= error;
        this.peer.close(error);
      },
    });
  }

  ask(): void {
    const request = {settled: 0};
    this.requests.push(request);
    const settle = (): void => void (request.settled += 1);
    this.peer.request('ask', ['x', () => 'called', new AbortController().signal]).then(settle, settle);
  }

  anyId(random: (below: number) => number): number {
    return this.#ids.length > 0 ? (this.#ids[random(this.#ids.length)] ?? 1) : random(20);
  }

  send(bytes: Buffer): void {
    this.#stream.push(bytes);
  }
}

async function* endless(): AsyncGenerator<number> {
  for (let count = 0; ; count += 1) yield count;
}

const ODD: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', 'x', [], {}, [[]], {a: null}, '\u0000', '$call', '__proto__', 'constructor'],
  ...[{then: 1}, {id: 1}, {toJSON: 1}, {length: 1e9}, 'x'.repeat(10_000)],
];
const METHODS = ['ask', 'stream', 'throw', '$call', '$next', '$return', '$abort', '$none', '', 'x.keep', 'toString'];

/** A message, right or wrong, about something that is asked now or not. */
function makeMessage(random: (below: number) => number, id: number): unknown {
  const odd = (): unknown => ODD[random(ODD.length)];
  const refs = Array.from({length: random(3)}, () => ({
    path: [['0', 0, '__proto__', 'a', -1][random(5)], ...(random(2) ? ['x'] : [])],
    kind: ['function', 'signal', 'stream', 'x'][random(4)],
    id: random(40),
  }));
  switch (random(7)) {
    case 0:
      return odd();
    case 1:
      return {id, result: odd()};
    case 2:
      return {id, result: odd(), refs};
    case 3:
      return {id, error: odd()};
    case 4:
      return {id: odd(), method: odd(), params: odd(), refs: odd()};
    case 5:
      return {id: random(50), method: METHODS[random(METHODS.length)], params: [random(50), [odd()]], refs};
    default:
      return {id: random(50), method: METHODS[random(METHODS.length)], params: [odd(), odd()]};
  }
}

function makeFrame(random: (below: number) => number, id: number): Buffer {
  const kind = random(40);
  const text = kind === 0 ? ['{', '"', 'nul', '{"__proto__": 1}', '\ufeff{}', ''][random(6)] : undefined;
  const deep = kind === 1 ? `${'['.repeat(20_000)}${']'.repeat(20_000)}` : undefined;
  const body = Buffer.from(text ?? deep ?? JSON.stringify(makeMessage(random, id)) ?? 'null');
  const head = Buffer.alloc(4);
  head.writeUInt32BE(kind === 2 ? LARGEST_FRAME + 1 + random(1e6) : kind === 3 ? random(body.length + 1) : body.length);
  return kind === 4 ? Buffer.concat([head, body.subarray(0, random(body.length + 1))]) : Buffer.concat([head, body]);
}

export interface Fuzzed {
  readonly frames: number;
  /** Connections that a wrong frame ended. */
  readonly ended: number;
  /** Requests of gemini: all must be settled once. */
  readonly asked: number;
  readonly unsettled: number;
  readonly settledTwice: number;
}

/** Sends frames in whatever order, doubled and torn, to as many connections as it takes. */
export async function fuzzFrames(frames: number, seed: number): Promise<Fuzzed> {
  const random = createRandom(seed);
  const counts = {frames: 0, ended: 0, asked: 0, unsettled: 0, settledTwice: 0};
  while (counts.frames < frames) {
    const victim = new Victim();
    for (let round = 0; round < 200 && !victim.fault; round += 1) {
      victim.ask();
      const frame = makeFrame(random, victim.anyId(random));
      const all = random(5) === 0 ? Buffer.concat([frame, frame]) : frame;
      const cut = random(3) === 0 ? random(all.length + 1) : all.length;
      victim.send(all.subarray(0, cut));
      await new Promise(setImmediate);
      if (cut < all.length) victim.send(all.subarray(cut));
      counts.frames += 1;
    }
    victim.peer.close(new Error('The process has ended.'));
    await new Promise(setImmediate);
    counts.ended += victim.fault ? 1 : 0;
    counts.asked += victim.requests.length;
    counts.unsettled += victim.requests.filter(({settled}) => settled === 0).length;
    counts.settledTwice += victim.requests.filter(({settled}) => settled > 1).length;
  }
  return counts;
}
