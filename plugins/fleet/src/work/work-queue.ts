import {setMaxListeners} from 'node:events';
import {mkdir, stat} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {pid} from 'node:process';
import {ProcessGroups} from '@gemini-kernel/processes';
import type {Environment} from '@gemini-kernel/kernel';
import type {Telemetry} from '@gemini-kernel/plugin-telemetry/contract';
import type {Idle, QueueEngine, QueueFault} from '../contract.js';
import {fleetGit} from '../repositories/fleet-git.js';
import {Mirrors} from '../repositories/mirrors.js';
import {FleetTrace} from './fleet-trace.js';
import {runLane, type LaneWatch} from './lane.js';
import {PaceShare} from './pace-share.js';

export interface Working {
  readonly engine: QueueEngine;
  readonly address: string;
  readonly environment: Pick<Environment, 'variables' | 'platform'>;
  readonly folder: string;
  readonly work: string;
  readonly mirrors: string;
  readonly jobs: number;
  readonly given: readonly string[];
  readonly isKept: boolean;
  readonly isStaying: boolean;
  /** Ends all runs, which are given back. */
  readonly signal: AbortSignal;
  readonly watch: LaneWatch;
  /** Absent without a plugin for it. */
  readonly telemetry: Telemetry | undefined;
}

const LEASE_MS = 30_000;
/** So many tasks that fail in the same way, none done in between, and the rest would too. */
const MOST_ALIKE = 5;

/** Works on a queue with several workers. Gives why they stopped. */
export async function workOnQueue(working: Working): Promise<Idle | 'left'> {
  const {engine, address, environment, folder, work, mirrors, jobs, given, isKept, isStaying, signal, watch} = working;
  const {telemetry} = working;
  // Each run and each call of git waits for it.
  setMaxListeners(0, signal);
  const groups = new ProcessGroups(environment.platform);
  const git = fleetGit(environment, signal);
  const place = {
    ...{environment, groups, git, folder, work, given, isKept},
    mirrors: new Mirrors(mirrors, git, signal),
    machine: hostname(),
    ...{id: await idOf(folder), pace: join(folder, `pace-${pid}`)},
  };
  const share = new PaceShare({engine, address, file: place.pace});
  const guard = new AlikeGuard(() => engine.set(address, {isPaused: true}));
  const parts = {
    ...{engine, address, place, signal, isStaying, leaseMs: LEASE_MS},
    trace: telemetry && new FleetTrace(telemetry, {engine, address}),
    watch: {
      ...watch,
      onStart(...[worker, claim]: Parameters<LaneWatch['onStart']>): void {
        share.begin(worker, claim);
        watch.onStart(worker, claim);
      },
      onEnd(...[worker, claim, end]: Parameters<LaneWatch['onEnd']>): void {
        share.end(worker);
        guard.see(end);
        watch.onEnd(worker, claim, end);
      },
    },
  };
  try {
    const ends = await Promise.all(Array.from({length: jobs}, (_, index) => runLane(`w${index + 1}`, parts)));
    await guard.settled();
    return ends.find((end) => end === 'left' || end === 'paused' || end === 'budget') ?? ends[0] ?? 'empty';
  } finally {
    groups.close();
    await share.close();
  }
}

/** Two folders have another one, also those of two persons on one machine. */
async function idOf(folder: string): Promise<string> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  const {dev, ino} = await stat(folder, {bigint: true});
  return `${hostname()}:${dev}:${ino}`;
}

/** Pauses a fleet in which every task fails in the same way, such as without a key. */
class AlikeGuard {
  #code: string | undefined;
  #count = 0;
  #pausing: Promise<void> | undefined;

  constructor(private readonly pause: () => Promise<void>) {}

  see({state, fault}: {readonly state: string; readonly fault?: QueueFault}): void {
    if (state === 'done') this.#count = 0;
    // An attempt that is repeated says nothing about other tasks.
    if (fault === undefined || state === 'waiting') return;
    this.#count = fault.code === this.#code ? this.#count + 1 : 1;
    this.#code = fault.code;
    if (this.#count === MOST_ALIKE) this.#pausing = this.pause();
  }

  async settled(): Promise<void> {
    await this.#pausing;
  }
}
