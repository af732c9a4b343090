import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';
import {dialects, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {CTRL_D} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {median, type Bench, type Outcome} from './measure.js';

const ROUNDS = 7;
const KEYS = 60;
const TURNS = 2000;
const PIECES = 1000;
const PAUSE_MS = 8;
const cpuHook = fileURLToPath(new URL('../../bench/report-cpu.cjs', import.meta.url));
const SIZE = {columns: 100, rows: 30};
const BACKSPACE = '\u007f';

function openPlace(
  mode: 'console' | 'terminal',
  script: Parameters<typeof openAgentPlace>[0] = {},
): Promise<AgentPlace> {
  return openAgentPlace({...script, settings: {ui: {mode}}});
}

/** A part of an answer, unlike the others. */
function paragraph(_: unknown, index: number): string {
  const words = Array.from({length: 110}, (__, word) => ((index * 7919 + word * 104_729) % 99_991).toString(36));
  return `A sentence ${words.join(' ')}.\n\n- item ${index} with \`code${index}\`\n- another item\n\n`;
}

/** From the start of the program until its prompt is there. */
async function timeUntilReady(mode: 'console' | 'terminal'): Promise<number> {
  await using place = await openPlace(mode);
  const started = performance.now();
  await using sitting = await ScreenSitting.begin(place, SIZE);
  await sitting.seeAt('>');
  const ms = performance.now() - started;
  sitting.type(CTRL_D);
  await sitting.end();
  return ms;
}

/** How long each key takes until its letter is on the screen, at the 95th of 100. */
async function timeKeys(sitting: ScreenSitting): Promise<number> {
  const times: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const started = performance.now();
    sitting.type('x');
    await sitting.seeAt('> x');
    times.push(performance.now() - started);
    sitting.type(BACKSPACE);
    await sitting.seeAt('>');
  }
  return times.sort((a, b) => a - b)[Math.floor(KEYS * 0.95)] ?? Number.NaN;
}

/** Seconds of the processor for the same answer without an interface. */
async function timeHeadless(pieces: readonly string[]): Promise<number> {
  await using place = await openAgentPlace({script: [{...says(...pieces), pauseMs: PAUSE_MS}]});
  const child = spawn(process.execPath, ['--require', cpuHook, join(checkout, 'bin', 'gemini.cjs'), '-p', 'go'], {
    cwd: place.project,
    env: isolate(place.home, {GEMINI_MODEL: 'model-a', ...dialects[0]?.variables(place.server.url)}),
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [said] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'close')]);
  return Number(said) / 1e6;
}

interface Streamed {
  readonly idle: number;
  readonly streaming: number;
  /** Bytes written for each byte of the answer. */
  readonly bytes: number;
  /** Seconds of the processor for the whole run, beyond those of the same answer without an interface. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** One answer of 500 KB at the terminal interface, with keys pressed before and during it. */
async function stream(): Promise<Streamed> {
  const pieces = Array.from({length: PIECES}, paragraph);
  await using place = await openPlace('terminal', {script: [{...says(...pieces, 'The end.'), pauseMs: PAUSE_MS}]});
  await using sitting = await ScreenSitting.begin(place, SIZE);
  await sitting.seeAt('>');
  const idle = await timeKeys(sitting);
  const before = sitting.written.length;
  sitting.type('go\r');
  await sitting.see('A sentence');
  const streaming = await timeKeys(sitting);
  await sitting.see('The end.');
  const {seconds, megabytes} = await sitting.usage();
  const bytes = (sitting.written.length - before) / pieces.join('').length;
  return {idle, streaming, bytes, seconds: seconds - (await timeHeadless(pieces)), megabytes};
}

/** From Esc in the middle of an answer until the screen says that it has stopped. */
async function timeStops(): Promise<number> {
  const talk = {...says('First half. ', 'Second half.'), stall: {afterPieces: 1}};
  await using place = await openPlace('terminal', {script: Array.from({length: ROUNDS}, () => talk)});
  await using sitting = await ScreenSitting.begin(place, SIZE);
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const count = (text: string): number => sitting.lines.filter((line) => line === text).length;
    await sitting.seeAt('>');
    sitting.type(`talk ${round}\r`);
    await sitting.wait(() => count('First half.') === round, 'for the answer');
    // An Escape is a key once nothing has followed it.
    const started = performance.now();
    sitting.type('\u001b');
    await sitting.wait(() => count('Stopped.') === round, 'for the end');
    times.push(performance.now() - started);
  }
  return median(times);
}

/** Bytes of memory at most after many short turns. */
async function measureTurns(turns: number): Promise<number> {
  await using place = await openPlace('terminal', {
    script: Array.from({length: turns}, (_, at) => says(`Answer ${at}.`)),
  });
  await using sitting = await ScreenSitting.begin(place, SIZE);
  await sitting.seeAt('>');
  for (let turn = 0; turn < turns; turn += 1) {
    sitting.type(`turn ${turn}\r`);
    await sitting.see(`Answer ${turn}.`);
    await sitting.lose('Ctrl+C stops');
  }
  return (await sitting.usage()).megabytes;
}

/** One run serves all its figures. */
function inOneRun<T>(act: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= act());
}

const streamed = inOneRun(stream);

function streamBench(name: string, target: Bench['target'], outcome: (figures: Streamed) => Outcome): Bench {
  return {name, target, run: async () => outcome(await streamed())};
}

/** The terminal interface, seen through a terminal emulator. */
export const terminal: readonly Bench[] = [
  {
    name: 'terminal interface: ready for keys',
    target: {atMost: 1.2, of: 'the console'},
    async run() {
      const times = {terminal: [] as number[], console: [] as number[]};
      for (let round = 0; round < ROUNDS; round += 1)
        for (const mode of ['terminal', 'console'] as const) times[mode].push(await timeUntilReady(mode));
      const [ours, theirs] = [median(times.terminal), median(times.console)];
      return {ratio: ours / theirs, detail: `${ours.toFixed(0)} ms, console ${theirs.toFixed(0)} ms`};
    },
  },
  streamBench('terminal interface: a key while idle', {atMost: 1, of: '15 ms'}, ({idle}) => ({
    ratio: idle / 15,
    detail: `${idle.toFixed(1)} ms at the 95th of 100`,
  })),
  streamBench('terminal interface: a key while 500 KB arrive', {atMost: 1, of: '50 ms'}, ({streaming}) => ({
    ratio: streaming / 50,
    detail: `${streaming.toFixed(1)} ms at the 95th of 100`,
  })),
  streamBench('terminal interface: bytes of 500 KB', {atMost: 1.3, of: 'the answer'}, ({bytes}) => ({
    ratio: bytes,
    detail: 'status, footer and prompt included',
  })),
  streamBench('terminal interface: processor for 500 KB', {atMost: 1, of: '1 s'}, ({seconds}) => ({
    ratio: seconds,
    detail: `${seconds.toFixed(2)} s more than without an interface, with ${2 * KEYS} keys`,
  })),
  {
    name: 'terminal interface: Esc until it has stopped',
    target: {atMost: 1, of: '150 ms'},
    async run() {
      const ms = await timeStops();
      return {ratio: ms / 150, detail: `${ms.toFixed(0)} ms`};
    },
  },
  {
    name: `terminal interface: memory after ${TURNS} turns`,
    target: {atMost: 1, of: '200 MB'},
    async run() {
      const megabytes = await measureTurns(TURNS);
      return {ratio: megabytes / 200, detail: `${megabytes.toFixed(0)} MB at most`};
    },
  },
  streamBench('terminal interface: memory after 500 KB', {atMost: 1, of: '150 MB'}, ({megabytes}) => ({
    ratio: megabytes / 150,
    detail: `${megabytes.toFixed(0)} MB at most`,
  })),
];
