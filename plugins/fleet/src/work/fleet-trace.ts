import type {Telemetry, WorkMeasure, WorkSpan} from '@gemini-kernel/plugin-telemetry/contract';
import type {Claim, QueueEngine, QueueFault, Spending} from '../contract.js';
import type {FleetTask} from '../plan/make-tasks.js';

/** How an attempt went. */
export interface TracedEnd {
  /** Milliseconds since 1970. */
  readonly began: number;
  /** When the first attempt of the task began, as far as it is known. */
  readonly first: number;
  readonly spent: Spending;
  /** That of the queue; `lost`: another attempt counts by now. */
  readonly state: string;
  readonly fault?: QueueFault;
}

const SETTLED: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled']);

/**
 * Tells telemetry what becomes of tasks. Each task is a trace of its own, found by its id: each attempt, on
 * any machine, adds to the same one.
 */
export class FleetTrace {
  readonly #opened = Date.now();

  constructor(
    private readonly telemetry: Telemetry,
    private readonly queue: {readonly engine: QueueEngine; readonly address: string},
  ) {}

  /** The variables with which the spans of a run are part of its attempt; none while telemetry is off. */
  async begin(claim: Claim): Promise<Readonly<Record<string, string>>> {
    const parent = await this.telemetry.parentOfWork(claim.id, nameOf(claim));
    if (parent === undefined) return {};
    const seconds = (Date.now() - this.#opened) / 1000;
    await this.telemetry.tellWork([], [{name: 'gemini.fleet.queue.age', value: seconds, attributes: about(claim)}]);
    return {TRACEPARENT: parent};
  }

  async end(claim: Claim, end: TracedEnd): Promise<void> {
    if ((await this.telemetry.parentOfWork(claim.id, nameOf(claim))) === undefined) return;
    await this.telemetry.tellWork(spansOf(claim, end, this.#opened), [
      ...measuresOf(claim, end),
      ...(await this.#states(claim)),
    ]);
  }

  async #states(claim: Claim): Promise<readonly WorkMeasure[]> {
    const {engine, address} = this.queue;
    // A server that is away is no reason to end an attempt in another way: the next one says how many there are.
    const counts = await engine.counts(address).catch(() => undefined);
    if (!counts) return [];
    return (['waiting', 'running', 'done', 'failed', 'cancelled'] as const).map((state) => ({
      ...{name: 'gemini.fleet.tasks', value: counts[state], attributes: {...about(claim), state}},
    }));
  }
}

function nameOf({fence}: Claim): string {
  return `attempt ${fence}`;
}

function about({task}: Claim): {readonly 'gemini.fleet.name': string} {
  return {'gemini.fleet.name': (task.payload as FleetTask).fleet};
}

function spansOf(claim: Claim, end: TracedEnd, opened: number): readonly WorkSpan[] {
  const {id, attempt, fence} = claim;
  const {began, first, spent, state, fault} = end;
  const ended = Date.now();
  const same = {trace: id, ended, ...(state === 'done' ? {} : {error: fault?.code ?? state})};
  const task = {...about(claim), 'gemini.fleet.task.id': id};
  const attributes = {...task, 'gemini.fleet.task.state': state};
  const tried: WorkSpan = {
    ...{...same, id: nameOf(claim), parent: 'task', name: 'attempt', began},
    attributes: {
      ...{...attributes, 'gemini.fleet.attempt': attempt, 'gemini.fleet.fence': fence},
      ...{'gemini.fleet.tokens': spent.tokens, 'gemini.fleet.cost': spent.cost},
    },
  };
  if (!SETTLED.has(state)) return [tried];
  return [
    tried,
    {...same, id: 'task', parent: 'fleet', name: 'task', began: first, attributes},
    {trace: id, ended, id: 'fleet', name: 'fleet', began: Math.min(opened, first), attributes: task},
  ];
}

function measuresOf(claim: Claim, {spent, state}: TracedEnd): readonly WorkMeasure[] {
  const attributes = about(claim);
  return [
    {name: 'gemini.fleet.attempt.count', value: 1, attributes: {...attributes, state}},
    {name: 'gemini.fleet.token.usage', value: spent.tokens, attributes},
    {name: 'gemini.fleet.cost', value: spent.cost, attributes},
    ...(state === 'lost' ? [{name: 'gemini.fleet.lease.lost' as const, value: 1, attributes}] : []),
  ];
}
