import {existsSync} from 'node:fs';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import type {Environment} from '@gemini-kernel/kernel';
import type {ProcessGroups} from '@gemini-kernel/processes';
import type {Claim, Spending} from '../contract.js';
import type {FleetTask} from '../plan/make-tasks.js';
import {hasObeyed} from '../repositories/obeyed.js';
import {ifMissing} from '../queue/if-missing.js';
import {Checkout, type CheckoutWish, type Work} from '../repositories/checkout.js';
import type {Git} from '../repositories/git.js';
import type {Mirrors} from '../repositories/mirrors.js';
import {branchOf, type Made} from '../results/result.js';
import {diskFault, faultOf, type AttemptFault} from './attempt-fault.js';
import {DiskWatch} from './disk-watch.js';
import {runTask, type RunEnd} from './task-run.js';
import {wordsOf} from './words-of.js';
import {PACE, readTokens, REPORT, TOKENS} from './worker-report.js';

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
  /** Of the checkout that it works in. */
  readonly stamp?: string | undefined;
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
  #progress: Progress = {tokens: 0, reported: 0};
  /** Tokens that were reported and counted before this attempt. */
  #before = 0;
  #checkout: Checkout | undefined;
  readonly #begun = new AbortController();

  constructor(
    private readonly claim: Claim,
    private readonly place: WorkPlace,
  ) {
    this.#task = claim.task.payload as FleetTask;
    this.#name = claim.id.slice(0, 16);
  }

  /** Aborted once its session is known. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** What it has used so far. */
  async progress(): Promise<Progress> {
    const reported = await readTokens(this.#report);
    this.#progress = {...this.#progress, reported, tokens: Math.max(0, reported - this.#before)};
    return this.#progress;
  }

  /** Throws what a checkout throws, and nothing that the run does. */
  async run(signal: AbortSignal): Promise<Attempted> {
    await mkdir(join(this.place.folder, 'reports'), {recursive: true, mode: 0o700});
    this.#before = await this.#settled();
    const session = await this.#open();
    const started = performance.now();
    const {disk = Infinity} = this.#task.limits;
    const watched = new DiskWatch(this.#folder, disk);
    const end = await this.#start(session, AbortSignal.any([signal, watched.signal]));
    const isFull = await watched.close();
    const seconds = Number(((performance.now() - started) / 1000).toFixed(3));
    const {outcome} = end.events;
    const {tokens, reported} = await this.progress();
    const spent = {tokens: reported > 0 ? tokens : (outcome?.tokens ?? 0), cost: outcome?.cost ?? 0};
    const {machine, id} = this.place;
    const made: Made = {...toldBy(end, session), machine, place: id, seconds, reported, stamp: this.#progress.stamp};
    const fault = isFull ? diskFault(disk) : faultOf(end);
    if (isFull) await this.clear();
    if (fault) return failed({made, spent, fault}, session !== undefined);
    return {made: {...made, ...(this.#checkout && (await workIn(this.#checkout, this.#task)))}, spent};
  }

  /** Removes what it worked in, once the result is kept. */
  async clear(): Promise<void> {
    if (this.place.isKept) return;
    await (this.#checkout?.remove() ?? rm(this.#folder, {recursive: true, force: true}));
    await rm(this.#report, {force: true});
    await rm(this.#stampFile, {force: true});
  }

  get #report(): string {
    return join(this.place.folder, 'reports', this.#name);
  }

  /** Says which attempt made the checkout that is there, once it was whole. */
  get #stampFile(): string {
    return `${this.#report}.stamp`;
  }

  get #folder(): string {
    return join(this.place.work, this.#name);
  }

  /** What a process that was killed reported after it was last heard of is counted now. */
  async #settled(): Promise<number> {
    const {reported = 0, place} = (this.claim.note ?? {}) as Made;
    return place === undefined || place === this.place.id ? reported : readTokens(this.#report);
  }

  /** Finds or makes where it works. Gives the session that is continued: one that worked in what is there. */
  async #open(): Promise<string | undefined> {
    const {session, stamp, place} = (this.claim.note ?? {}) as Made;
    const found = await readText(this.#stampFile).catch(ifMissing);
    const isSame = session !== undefined && place === this.place.id && found !== undefined && found === stamp;
    if (isSame && (await this.#find())) {
      this.#progress = {...this.#progress, stamp};
      return session;
    }
    await rm(this.#stampFile, {force: true});
    await this.#make();
    const made = String(this.claim.fence);
    await writeFile(this.#stampFile, made, {mode: 0o600});
    this.#progress = {...this.#progress, stamp: made};
    return undefined;
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

  async #start(session: string | undefined, signal: AbortSignal): Promise<RunEnd> {
    const {environment, groups, folder, given, pace} = this.place;
    const {schema, limits} = this.#task;
    const schemaFile = schema === undefined ? undefined : join(folder, 'reports', `${this.#name}.schema.json`);
    if (schemaFile !== undefined) await writeFile(schemaFile, JSON.stringify(schema), {mode: 0o600});
    const {requestsPerMinute} = limits;
    const {tokens} = this.claim.reserved ?? {};
    return runTask({
      ...{environment, groups, signal, folder: this.#folder, deadline: limits.seconds * 1000 + GRACE_MS},
      words: wordsOf(this.#task, {
        ...{claim: this.claim, given},
        ...(session === undefined ? {} : {session}),
        ...(schemaFile === undefined ? {} : {schema: schemaFile}),
      }),
      variables: {
        // What a repository that is not trusted brings along is not in its checkout.
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        [REPORT]: this.#report,
        ...(tokens === undefined ? {} : {[TOKENS]: String(tokens)}),
        ...(requestsPerMinute === undefined ? {} : {[PACE]: `${requestsPerMinute} ${pace}`}),
      },
      onEvents: ({session: begun, doing}) => {
        this.#progress = {
          ...this.#progress,
          ...(begun === undefined ? {} : {session: begun}),
          ...(doing === undefined ? {} : {doing}),
        };
        if (begun !== undefined) this.#begun.abort();
      },
    });
  }
}

function failed(attempted: Required<Attempted>, isContinued: boolean): Attempted {
  const {made, fault} = attempted;
  if (!isContinued || !fault.code.startsWith('SESSION_')) return attempted;
  // A session that was lost with its process cannot be continued: the next attempt begins again.
  return {...attempted, made: {...made, session: undefined}, fault: {...fault, isLasting: false}};
}

/** What a run told about itself. */
function toldBy({events: {outcome, answer, session}}: RunEnd, continued: string | undefined): Made {
  const known = session ?? continued;
  return {
    ...{answer, refused: outcome?.refused ?? []},
    ...(outcome === undefined ? {} : {outcome: outcome.outcome}),
    ...(outcome?.structured === undefined ? {} : {structured: outcome.structured}),
    ...(known === undefined ? {} : {session: known}),
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
