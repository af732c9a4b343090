import {spawn as spawnProcess, type ChildProcess, type SpawnOptions} from 'node:child_process';
import {Keeper} from './keeper.js';
import {passDescriptors, type PassedDescriptor} from './passed-descriptors.js';
import {hasGroups, signalGroup} from './signal-group.js';

export type Spawn = (file: string, args: string[], options: SpawnOptions) => ChildProcess;

export interface ProcessStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All variables that it gets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Descriptors beside the first three. */
  readonly descriptors?: readonly PassedDescriptor[];
  /** Default: `pipe`. */
  readonly stderr?: 'pipe' | 'ignore';
  /** Default: the one of Node. */
  readonly spawn?: Spawn;
}

/**
 * Starts programs that end with their owner. Each leads a process group of its own. The groups end with `close`, and
 * also when this program dies without a chance to call it.
 */
export class ProcessGroups {
  readonly #platform: NodeJS.Platform;
  /** The leaders of groups that may have processes. */
  readonly #leaders = new Set<number>();
  readonly #keeper: Keeper | undefined;
  #isClosed = false;

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
    this.#keeper = hasGroups(platform) ? new Keeper('/bin/sh') : undefined;
  }

  /** Starts a program. Throws what `spawn` throws; most faults come as its event `error`. */
  start(request: ProcessStart): ChildProcess {
    const {file, args, cwd, variables, stderr = 'pipe', spawn = spawnProcess} = request;
    if (this.#isClosed) throw new Error(`Cannot start ${file}: its owner has ended.`);
    this.#dropEmpty();
    // Before the program, so that no moment is left in which nothing would end it.
    this.#keeper?.start();
    const passing = passDescriptors(request.descriptors ?? []);
    const child = startOr(passing.close, () =>
      spawn(file, [...args], {
        cwd,
        env: {...variables},
        stdio: ['pipe', 'pipe', stderr, ...passing.stdio],
        windowsHide: true,
        detached: hasGroups(this.#platform),
      }),
    );
    passing.give(child);
    const {pid} = child;
    if (pid === undefined) return child;
    this.#leaders.add(pid);
    this.#keeper?.add(pid);
    child.once('exit', () => this.#dropIfEmpty(pid));
    return child;
  }

  /** Sends a signal to a program and to what it started. Does nothing when no process of the group is left. */
  signal({pid}: ChildProcess, signal: NodeJS.Signals): void {
    if (pid !== undefined && this.#leaders.has(pid)) signalGroup(pid, signal, this.#platform);
  }

  /** Ends every program, and what the ended ones left behind. */
  close(): void {
    this.#isClosed = true;
    for (const leader of this.#leaders) signalGroup(leader, 'SIGKILL', this.#platform);
    for (const leader of this.#leaders) this.#drop(leader);
    this.#keeper?.close();
  }

  /** The system may soon reuse the id of an empty group. */
  #dropEmpty(): void {
    for (const leader of this.#leaders) if (hasGroups(this.#platform)) this.#dropIfEmpty(leader);
  }

  #dropIfEmpty(leader: number): void {
    if (!signalGroup(leader, 0, this.#platform)) this.#drop(leader);
  }

  #drop(leader: number): void {
    this.#leaders.delete(leader);
    this.#keeper?.remove(leader);
  }
}

function startOr(close: () => void, start: () => ChildProcess): ChildProcess {
  try {
    return start();
  } catch (error) {
    close();
    throw error;
  }
}
