import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '@gemini-kernel/files/sources';
import type {Environment} from '@gemini-kernel/kernel';
import type {ProcessGroups} from '@gemini-kernel/processes';
import type {Claim, Spending} from '../contract.js';
import type {FleetTask} from '../plan/make-tasks.js';
import {hasObeyed} from '../repositories/obeyed.js';
import {Checkout, type CheckoutWish, type Work} from '../repositories/checkout.js';
import type {Mirrors} from '../repositories/mirrors.js';
import {branchOf, type Made} from '../results/result.js';
import {diskFault, faultOf, type AttemptFault} from './attempt-fault.js';
import {DiskWatch} from './disk-watch.js';
import {TaskFiles, type Ran} from './task-files.js';
import {runTask, type RunEnd} from './task-run.js';
import {wordsOf, type RunSession} from './words-of.js';
import {PACE, REPORT, TOKENS} from './worker-report.js';

/** Where a worker works. */
export interface WorkPlace {
  readonly environment: Pick<Environment, 'variables' | 'platform'>;
  readonly groups: ProcessGroups;
  readonly git: Git;
  readonly mirrors: Mirrors;
  /** Of the fleet: reports and the pace are below it. */
  readonly folder: string;
  /** Checkouts are below it. */
  readonly work: string;
  /** The name of this machine, for people. */
  readonly machine: string;
  /** Tells this folder from one of another machine, or of another person here. */
  readonly id: string;
  readonly given: readonly string[];
  readonly isKept: boolean;
  /** The file by which its runs share the requests of a minute. */
  readonly pace: string;
}

/** What an attempt is at, for who watches. */
export interface Progress {
  readonly doing?: string;
  readonly session?: string;
  /** Of this attempt. */
  readonly tokens: number;
  /** Of all attempts on this machine. */
  readonly reported: number;
}

export interface Attempted {
  readonly made: Made;
  readonly spent: Spending;
  /** Absent when it is done. */
  readonly fault?: AttemptFault;
}

const GRACE_MS = 10_000;
/** A patch that is larger is not kept in the queue: the branch has it. */
const LARGEST_PATCH = 256 * 1024;

/** Does a task once: a checkout, this program in it, a commit. */
export class Attempt {
  readonly #task: FleetTask;
  readonly #name: string;
  readonly #files: TaskFiles;
  #progress: Progress = {tokens: 0, reported: 0};
  /** Tokens that were reported and counted before this attempt. */
  #before = 0;
  #checkout: Checkout | undefined;

  constructor(
    private readonly claim: Claim,
    private readonly place: WorkPlace,
  ) {
    this.#task = claim.task.payload as FleetTask;
    this.#name = claim.id.slice(0, 16);
    this.#files = new TaskFiles(place.folder, this.#name);
  }

  /** What it has used so far. */
  async progress(): Promise<Progress> {
    const reported = await this.#files.tokens();
    this.#progress = {...this.#progress, reported, tokens: Math.max(0, reported - this.#before)};
    return this.#progress;
  }

  /** Throws what a checkout throws, and nothing that the run does. */
  async run(signal: AbortSignal): Promise<Attempted> {
    await this.#files.open();
    this.#before = await this.#settled();
    const {disk = Infinity} = this.#task.limits;
    const {session, end, seconds, isFull} = await this.#toEnd(disk, signal);
    const {outcome} = end.events;
    const {tokens, reported} = await this.progress();
    const spent = {tokens: reported > 0 ? tokens : (outcome?.tokens ?? 0), cost: outcome?.cost ?? 0};
    const {machine, id} = this.place;
    const made: Made = {...toldBy(end), session, machine, place: id, seconds, reported};
    const fault = isFull ? diskFault(disk) : faultOf(end);
    if (isFull) await this.clear();
    if (fault) return {made, spent, fault};
    return {made: {...made, ...(this.#checkout && (await workIn(this.#checkout, this.#task)))}, spent};
  }

  /** Removes what it worked in, once the result is kept. */
  async clear(): Promise<void> {
    if (this.place.isKept) return;
    await (this.#checkout?.remove() ?? rm(this.#folder, {recursive: true, force: true}));
    await this.#files.clear();
  }

  get #folder(): string {
    return join(this.place.work, this.#name);
  }

  /** What a process that was killed reported after it was last heard of is counted now. */
  async #settled(): Promise<number> {
    const {reported = 0, place} = (this.claim.note ?? {}) as Made;
    return place === undefined || place === this.place.id ? reported : this.#files.tokens();
  }

  /** Continues what an attempt before began here, or begins. */
  async #toEnd(disk: number, signal: AbortSignal): Promise<RanWithin> {
    const known = await this.#files.session();
    if (known !== undefined && (await this.#find())) {
      const ended = await this.#files.ended(known);
      const ran = ended ? {...ended, isFull: false} : await this.#runIn({id: known, isContinued: true}, disk, signal);
      // A session that was not kept: its process was lost first.
      if (!faultOf(ran.end)?.code.startsWith('SESSION_')) return ran;
    }
    await this.#files.forget();
    await this.#make();
    const id = randomUUID();
    await this.#files.begin(id);
    return this.#runIn({id, isContinued: false}, disk, signal);
  }

  async #runIn(session: RunSession, disk: number, signal: AbortSignal): Promise<RanWithin> {
    this.#progress = {...this.#progress, session: session.id};
    const started = performance.now();
    const watched = new DiskWatch(this.#folder, disk);
    const end = await this.#start(session, AbortSignal.any([signal, watched.signal]));
    const isFull = await watched.close();
    const ran = {session: session.id, end, seconds: Number(((performance.now() - started) / 1000).toFixed(3))};
    if (!isFull && faultOf(end) === undefined) await this.#files.keep(ran);
    return {...ran, isFull};
  }

  async #find(): Promise<boolean> {
    const wish = this.#wish();
    if (!existsSync(this.#folder)) return false;
    // Whatever a run before has left there must not decide what the next one may do.
    if (!this.#task.isTrusted && (await hasObeyed(this.#folder))) return false;
    if (wish === undefined) return true;
    this.#checkout = await Checkout.find(this.place.git, this.place.mirrors, wish);
    return this.#checkout !== undefined;
  }

  async #make(): Promise<void> {
    const wish = this.#wish();
    if (wish) this.#checkout = await Checkout.make(this.place.git, this.place.mirrors, wish);
    else {
      await rm(this.#folder, {recursive: true, force: true});
      await mkdir(this.#folder, {recursive: true, mode: 0o700});
    }
  }

  #wish(): CheckoutWish | undefined {
    const {repository, commit, isTrusted} = this.#task;
    if (repository === undefined || commit === undefined) return undefined;
    return {repository, commit, isTrusted, folder: this.#folder, branch: branchOf(this.#task, this.claim.id)};
  }

  async #start(session: RunSession, signal: AbortSignal): Promise<RunEnd> {
    const {environment, groups, given, pace} = this.place;
    const {schema, limits} = this.#task;
    const schemaFile = schema === undefined ? undefined : await this.#files.writeSchema(schema);
    const {requestsPerMinute} = limits;
    const {tokens} = this.claim.reserved ?? {};
    return runTask({
      ...{environment, groups, signal, folder: this.#folder, deadline: limits.seconds * 1000 + GRACE_MS},
      words: wordsOf(this.#task, {
        ...{claim: this.claim, given, session},
        ...(schemaFile === undefined ? {} : {schema: schemaFile}),
      }),
      variables: {
        // What a repository that is not trusted brings along is not in its checkout.
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        [REPORT]: this.#files.report,
        ...(tokens === undefined ? {} : {[TOKENS]: String(tokens)}),
        ...(requestsPerMinute === undefined ? {} : {[PACE]: `${requestsPerMinute} ${pace}`}),
      },
      onEvents: ({doing}) => {
        if (doing !== undefined) this.#progress = {...this.#progress, doing};
      },
    });
  }
}

interface RanWithin extends Ran {
  /** Its checkout has become too large. */
  readonly isFull: boolean;
}

/** What a run told about itself. */
function toldBy({events: {outcome, answer}}: RunEnd): Made {
  return {
    ...{answer, refused: outcome?.refused ?? []},
    ...(outcome === undefined ? {} : {outcome: outcome.outcome}),
    ...(outcome?.structured === undefined ? {} : {structured: outcome.structured}),
  };
}

async function workIn(checkout: Checkout, task: FleetTask): Promise<Made> {
  const work = await checkout.commit(messageOf(task));
  const ignored = await checkout.ignored();
  return {...(work === undefined ? {} : kept(work)), ...(ignored.length > 0 ? {ignored} : {})};
}

function kept({patch, object, ...work}: Work): Made {
  return {...work, ...(Buffer.byteLength(patch) > LARGEST_PATCH ? {} : {patch, object})};
}

function messageOf({prompt, fleet}: FleetTask): string {
  const [first = ''] = prompt.trim().split('\n');
  return `${first.slice(0, 72)}\n\nMade by the fleet ${fleet}.`;
}
