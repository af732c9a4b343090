import type {ChildProcess} from 'node:child_process';
import type {ProcessGroups, ProcessStart} from './process-groups.js';

export interface ProcessRequest extends ProcessStart {
  /** Written to its standard input, which is then closed. */
  readonly input: string;
  readonly timeoutMs: number;
}

/** How a process ended, and what it printed. */
export interface ProcessEnd {
  readonly by: 'itself' | 'signal' | 'timeout' | 'output' | 'start';
  readonly exitCode?: number;
  /** The name of the signal, or why it could not start. */
  readonly detail?: string;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly ms: number;
}

type End = Omit<ProcessEnd, 'ms'>;

/** Bytes of one stream that are kept; a program that prints more is ended. */
const MOST_OUTPUT = 1 << 20;
/** How long a program may take to end after it was asked to. */
const TERM_MS = 500;
/** How long output is still read when the program has ended and another process holds its streams. */
const REST_MS = 100;

/**
 * Runs a program to its end. Every fault of the program is an end, also that it cannot start. Throws only the signal's
 * reason, when the program and what it started have ended.
 */
export async function runProcess(
  groups: ProcessGroups,
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  signal.throwIfAborted();
  const started = performance.now();
  const end = await follow(groups, request, signal);
  signal.throwIfAborted();
  return {...end, ms: performance.now() - started};
}

function follow(groups: ProcessGroups, request: ProcessRequest, signal: AbortSignal): Promise<End> {
  return new Promise((resolve) => {
    const out = new Output();
    const fail = (error: unknown): void => resolve({by: 'start', detail: (error as Error).message, ...out.read()});
    try {
      const child = groups.start(request);
      child.once('error', fail);
      new Following({child, groups, request, out, signal, resolve}).start();
    } catch (error) {
      fail(error);
    }
  });
}

/** What a process printed, bounded. */
class Output {
  readonly #chunks: Record<'stdout' | 'stderr', Buffer[]> = {stdout: [], stderr: []};
  readonly #sizes = {stdout: 0, stderr: 0};

  /** Whether there is more than may be kept. */
  add(stream: 'stdout' | 'stderr', chunk: Buffer): boolean {
    this.#sizes[stream] += chunk.length;
    if (this.#sizes[stream] > MOST_OUTPUT) return true;
    this.#chunks[stream].push(chunk);
    return false;
  }

  read(): {readonly stdout: Buffer; readonly stderr: Buffer} {
    return {stdout: Buffer.concat(this.#chunks.stdout), stderr: Buffer.concat(this.#chunks.stderr)};
  }
}

interface FollowingParts {
  readonly child: ChildProcess;
  readonly groups: ProcessGroups;
  readonly request: ProcessRequest;
  readonly out: Output;
  readonly signal: AbortSignal;
  resolve(end: End): void;
}

/** One process until it ends, or is ended. */
class Following {
  #by: 'timeout' | 'output' | undefined;
  #timer: NodeJS.Timeout | undefined;
  #rest: NodeJS.Timeout | undefined;
  readonly #abort = (): void => this.#end();

  constructor(private readonly parts: FollowingParts) {}

  start(): void {
    const {child, request, out, signal} = this.parts;
    this.#timer = setTimeout(() => this.#end('timeout'), request.timeoutMs);
    signal.addEventListener('abort', this.#abort, {once: true});
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('error', () => undefined);
      child[name]?.on('data', (chunk: Buffer) => {
        if (out.add(name, chunk)) this.#end('output');
      });
    }
    // A program that does not read its input may be gone before all of it is written.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.input);
    child.once('exit', () => {
      clearTimeout(this.#timer);
      // A process that it started may hold its streams; what the program itself wrote is read by then.
      this.#rest = setTimeout(() => this.#release(), REST_MS);
    });
    child.once('error', () => this.#settle());
    child.once('close', (code, killer) => this.#close(code, killer));
  }

  #release(): void {
    this.parts.child.stdout?.destroy();
    this.parts.child.stderr?.destroy();
  }

  #close(code: number | null, killer: NodeJS.Signals | null): void {
    this.#settle();
    const {child, groups, out, signal, resolve} = this.parts;
    // What it left in the background may stay until its owner closes, unless the program had to be ended.
    if (this.#by !== undefined || signal.aborted) groups.signal(child, 'SIGKILL');
    const by = this.#by ?? (killer === null ? 'itself' : 'signal');
    resolve({by, ...(code === null ? {} : {exitCode: code}), ...(killer ? {detail: killer} : {}), ...out.read()});
  }

  #settle(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#rest);
    this.parts.signal.removeEventListener('abort', this.#abort);
  }

  #end(by?: 'timeout' | 'output'): void {
    const {child, groups} = this.parts;
    this.#by ??= by;
    groups.signal(child, 'SIGTERM');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => groups.signal(child, 'SIGKILL'), TERM_MS);
  }
}
