import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import type {Readable} from 'node:stream';
import {setImmediate, setTimeout as delay} from 'node:timers/promises';
import {passDescriptors} from '@gemini-kernel/processes';
import type {Confined} from '@gemini-kernel/plugin-sandbox/contract';
import type {CommandEnd} from './contract.js';
import {endFamily, findFamily, hasGroup, spawnOptions} from './platform.js';
import {startError} from './start-error.js';

export interface Launch {
  readonly shell: string;
  readonly platform: NodeJS.Platform;
  readonly command: string;
  readonly directory: string;
  /** What is started: the shell, or a program that confines it. */
  readonly program: Omit<Confined, 'descriptors'> & Partial<Confined>;
  readonly stdin: string | undefined;
  /** Whether its input stays open for what a person types. */
  readonly isTyped?: boolean;
  onOutput(chunk: Buffer): void;
}

/** How long to wait for a process that does not end even after SIGKILL, such as one that waits for a failed disk. */
const KILL_MS = 2000;
/**
 * How long to wait for output after the command itself has ended; output of processes that hold the streams open later
 * does not count.
 */
const QUIET_MS = 100;
const DRAIN_MS = 1000;

type Exit = Pick<CommandEnd, 'exitCode' | 'signal'>;

/** A shell command that has been started. */
export class RunningCommand {
  readonly pid: number;
  /** Settled when the command itself has ended and its output is read. */
  readonly ended: Promise<CommandEnd>;
  /** When it last printed something, as `performance.now()`. */
  printed = performance.now();
  readonly #child: ChildProcess;
  readonly #platform: NodeJS.Platform;
  readonly #exit: Promise<Exit>;
  #by: CommandEnd['by'] = 'itself';
  #stopping: Promise<void> | undefined;
  #giveUp: (exit: Exit) => void = () => undefined;

  constructor(child: ChildProcess & {readonly pid: number}, {platform, stdin, isTyped, onOutput}: Launch) {
    this.pid = child.pid;
    this.#child = child;
    this.#platform = platform;
    this.#exit = new Promise((resolve) => {
      this.#giveUp = resolve;
      child.once('exit', (exitCode, signal) => resolve({exitCode, signal}));
    });
    const closed = new Promise((resolve) => child.once('close', resolve));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.printed = performance.now();
        onOutput(chunk);
      });
    }
    // A command may end without reading its input.
    child.stdin?.on('error', () => child.stdin?.destroy());
    if (!isTyped) child.stdin?.end(stdin);
    this.ended = this.#finish(closed);
  }

  /**
   * Ends the command and all its processes. Settled when they have ended. A limit that is reached after its end does
   * nothing.
   */
  stop(by: 'stop' | 'timeout' | 'inactivity'): Promise<void> {
    const hasExited = this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (hasExited && by !== 'stop') return Promise.resolve();
    if (!hasExited && !this.#stopping) this.#by = by;
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Writes to its input; returns whether it is still open. */
  type(text: string): boolean {
    const {stdin} = this.#child;
    if (!stdin?.writable) return false;
    stdin.write(text);
    return true;
  }

  async #stop(): Promise<void> {
    await endFamily(this.pid, this.#platform);
    const late = setTimeout(() => this.#giveUp({exitCode: null, signal: null}), KILL_MS);
    await this.#exit;
    clearTimeout(late);
  }

  async #finish(closed: Promise<unknown>): Promise<CommandEnd> {
    const exit = await this.#exit;
    await this.#drain(closed);
    const survivors = hasGroup(this.pid, this.#platform) ? await findFamily(this.pid, this.#platform) : [];
    return {...exit, by: this.#by, survivors};
  }

  /** Reads the rest. A process that still holds the streams is not cut off, but its output is ignored. */
  async #drain(closed: Promise<unknown>): Promise<void> {
    const started = performance.now();
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    this.printed = started;
    while (!isClosed && performance.now() - started < DRAIN_MS) {
      const quiet = new AbortController();
      const left = this.printed + QUIET_MS - performance.now();
      await Promise.race([closed, delay(Math.max(1, left), undefined, {signal: quiet.signal})]);
      quiet.abort();
      // Read what arrived while this program was busy before the timeout counts.
      await setImmediate();
      if (performance.now() - this.printed >= QUIET_MS) break;
    }
    if (isClosed) return;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.removeAllListeners('data').resume();
      // The type hides that a pipe is a socket.
      (stream as (Readable & {unref(): void}) | null)?.unref();
    }
  }
}

/** Starts a command. Throws ToolErrors with the reason when it cannot start. */
export async function launch(parts: Launch): Promise<RunningCommand> {
  const {shell, platform, command, directory, program, stdin, isTyped} = parts;
  const passing = passDescriptors(program.descriptors ?? []);
  try {
    const child = spawn(program.file, program.args, {
      ...spawnOptions(platform),
      cwd: program.cwd,
      env: program.variables,
      stdio: [stdin === undefined && !isTyped ? 'ignore' : 'pipe', 'pipe', 'pipe', ...passing.stdio],
    });
    passing.give(child);
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    return new RunningCommand(child as typeof child & {readonly pid: number}, parts);
  } catch (cause) {
    throw await startError(cause, {command, directory, shell});
  }
}
