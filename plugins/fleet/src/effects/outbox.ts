import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import type {Git} from '@gemini-kernel/files/sources';
import {isKernelError, type Environment} from '@gemini-kernel/kernel';
import {runProcess, type ProcessGroups} from '@gemini-kernel/processes';
import type {QueueItem} from '../contract.js';
import type {PlannedEffect} from '../plan/plan.js';
import {withCommit} from '../repositories/carried-commit.js';
import type {Mirrors} from '../repositories/mirrors.js';
import {branchOf, madeOf, taskOf} from '../results/result.js';
import type {EffectJournal, EffectRecord, EffectState} from './effect-journal.js';
import {fillWords, valuesOf} from './fill-words.js';

export interface OutboxParts {
  readonly journal: EffectJournal;
  readonly effects: readonly PlannedEffect[];
  readonly git: Git;
  readonly mirrors: Mirrors;
  readonly groups: ProcessGroups;
  readonly environment: Pick<Environment, 'variables'>;
  /** Where commands run. */
  readonly folder: string;
  readonly signal: AbortSignal;
  onEffect(record: EffectRecord): void;
}

type Ended = Pick<EffectRecord, 'state' | 'message'>;

const COMMAND_MS = 5 * 60_000;

/** Does what a plan wants outside, once for each task that is done. */
export class Outbox {
  constructor(private readonly parts: OutboxParts) {}

  /** Does the effects of a task that are not done yet. Call it for one task after the other. */
  async send(item: QueueItem): Promise<void> {
    const {effects, signal} = this.parts;
    // Nothing was changed: there is nothing to show to others.
    if (taskOf(item).repository !== undefined && madeOf(item).commit === undefined) return;
    for (const [ordinal, effect] of effects.entries()) {
      signal.throwIfAborted();
      await this.#once(item, effect, ordinal);
    }
  }

  async #once(item: QueueItem, effect: PlannedEffect, ordinal: number): Promise<void> {
    const {journal, onEffect} = this.parts;
    const name = effect.kind === 'push' ? 'push' : effect.name;
    const about = {key: keyOf(item, effect, ordinal), task: item.task.id, name};
    const step = stepAfter(journal.find(about.key)?.state, effect.kind === 'push' || effect.check !== undefined);
    if (step === 'nothing') return;
    const note = async (ended: Ended): Promise<void> => {
      await journal.add({...about, ...ended});
      onEffect({...about, ...ended});
    };
    if (step === 'doubt') return note({state: 'uncertain', message: 'The fleet was cut off while it ran.'});
    await journal.add({...about, state: 'begun'});
    await note(effect.kind === 'push' ? await this.#push(item, effect.remote) : await this.#run(item, effect));
  }

  /** Pushes the commit that was recorded, by its number, to a branch that is not there yet. */
  async #push(item: QueueItem, remote: string | undefined): Promise<Ended> {
    const {git, mirrors} = this.parts;
    const {repository = '', commit: base = ''} = taskOf(item);
    const {commit = '', machine = 'another machine', patch, object} = madeOf(item);
    const folder = mirrors.folderOf(repository);
    const push = (from: string): Promise<Ended> => this.#pushFrom(from, item, remote ?? repository);
    try {
      if (existsSync(folder) && (await git.ask(folder, 'cat-file', '-e', `${commit}^{commit}`)) !== undefined)
        return await push(folder);
      if (patch !== undefined && object !== undefined)
        return await withCommit(this.parts, {repository, base, commit, patch, object}, push);
      const message = `Its commit ${commit.slice(0, 12)} is on ${machine}, and too large for the queue.`;
      return {state: 'failed', message};
    } catch (error) {
      if (!isKernelError(error)) throw error;
      return {state: 'failed', message: error.message};
    }
  }

  async #pushFrom(folder: string, item: QueueItem, target: string): Promise<Ended> {
    const {git} = this.parts;
    const {commit = ''} = madeOf(item);
    const branch = branchOf(taskOf(item), item.task.id);
    const found = await git.run(folder, 'ls-remote', '--', target, `refs/heads/${branch}`);
    if (found.startsWith(commit)) return {state: 'done'};
    if (found.trim() !== '')
      return {state: 'failed', message: `${branch} is there with another commit, ${found.slice(0, 12)}.`};
    const lease = `--force-with-lease=refs/heads/${branch}:`;
    try {
      await git.run(folder, 'push', '--quiet', '--no-verify', lease, '--', target, `${commit}:refs/heads/${branch}`);
    } catch (error) {
      // A push that was begun before a crash may have come first.
      const now = await git.ask(folder, 'ls-remote', '--', target, `refs/heads/${branch}`);
      if (!now?.startsWith(commit)) throw error;
    }
    return {state: 'done'};
  }

  async #run(item: QueueItem, {check, run}: PlannedEffect & {readonly kind: 'command'}): Promise<Ended> {
    const values = valuesOf(item);
    const [asking, acting] = [check && fillWords(check, values), fillWords(run, values)];
    const fault = [asking, acting].find((words) => typeof words === 'string');
    if (typeof fault === 'string') return {state: 'failed', message: fault};
    if (asking && (await this.#start(asking as readonly string[])).code === 0) return {state: 'done'};
    const {code, reason} = await this.#start(acting as readonly string[]);
    if (code === 0) return {state: 'done'};
    return {state: 'failed', message: `${run[0] ?? ''} ended with ${code}: ${reason}`};
  }

  async #start([file = '', ...args]: readonly string[]): Promise<{readonly code: number; readonly reason: string}> {
    const {groups, environment, folder, signal} = this.parts;
    const variables = Object.fromEntries(
      Object.entries(environment.variables).filter((one): one is [string, string] => one[1] !== undefined),
    );
    const request = {file, args, cwd: folder, variables, input: '', timeoutMs: COMMAND_MS};
    const {exitCode, detail, by, stderr} = await runProcess(groups, request, signal);
    const last = stderr.toString().trim().split('\n').at(-1) ?? '';
    return {code: exitCode ?? 1, reason: last === '' ? (detail ?? by) : last};
  }
}

/** What comes after what is known. What can be asked whether it is there may be tried again; nothing else may. */
function stepAfter(before: EffectState | undefined, isAskable: boolean): 'act' | 'doubt' | 'nothing' {
  if (before === undefined) return 'act';
  if (before === 'done' || before === 'uncertain') return 'nothing';
  if (isAskable) return 'act';
  return before === 'begun' ? 'doubt' : 'nothing';
}

/** The same effect of the same result has the same key at each start. */
function keyOf(item: QueueItem, effect: PlannedEffect, ordinal: number): string {
  const {commit, answer} = madeOf(item);
  const content = JSON.stringify([item.task.id, ordinal, effect, commit ?? answer ?? null]);
  return createHash('sha256').update(content).digest('hex');
}
