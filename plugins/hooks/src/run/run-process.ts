import {spawn, type ChildProcess} from 'node:child_process';
import {kill} from 'node:process';
import {messageOf, type Environment} from '@gemini-kernel/kernel';
import {shellFor} from './shell.js';

export interface ProcessRequest {
  readonly command: string;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly platform: Environment['platform'];
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

/** Bytes of one stream that are kept; a hook that prints more is ended. */
const MOST_OUTPUT = 1 << 20;
/** How long a hook may take to end after it was asked to. */
const TERM_MS = 500;
/** How long output is still read when the hook has ended and another process holds its streams. */
const REST_MS = 100;

/** The processes of one session. Each leads a group, which ends with the session. */
export class HookProcesses {
  readonly #groups = new Set<number>();
  #isClosed = false;

  /** Runs a command. Throws only the signal's reason, when the process is gone. */
  async run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnd> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error('The session has ended.');
    const started = performance.now();
    const end = await this.#follow(request, signal);
    signal.throwIfAborted();
    return {...end, ms: performance.now() - started};
  }

  /** Ends what hooks have left behind. */
  close(): void {
    this.#isClosed = true;
    for (const pid of this.#groups) send(-pid, 'SIGKILL');
    this.#groups.clear();
  }

  #follow(request: ProcessRequest, signal: AbortSignal): Promise<Omit<ProcessEnd, 'ms'>> {
    const {command, cwd, variables: env, platform} = request;
    const [file, args] = shellFor(command, platform);
    return new Promise((resolve) => {
      const out = new Output();
      const fail = (error: unknown): void => resolve({by: 'start', detail: messageOf(error), ...out.read()});
      let child: ChildProcess;
      try {
        child = spawn(file, args, {
          cwd,
          env,
          stdio: ['pipe', 'pipe', 'pipe'],
          windowsHide: true,
          detached: platform !== 'win32',
        });
      } catch (error) {
        return fail(error);
      }
      child.once('error', fail);
      new Following({child, request, out, signal, keep: (pid) => this.#groups.add(pid), resolve}).start();
    });
  }
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
  readonly request: ProcessRequest;
  readonly out: Output;
  readonly signal: AbortSignal;
  keep(pid: number): void;
  resolve(end: Omit<ProcessEnd, 'ms'>): void;
}

/** One process until it ends, or is ended. */
class Following {
  #by: 'timeout' | 'output' | undefined;
  #timer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
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
    // A hook that does not read its input may be gone before all of it is written.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.input);
    child.once('exit', () => {
      clearTimeout(this.#timer);
      // A process that it started may hold its streams; what the hook itself wrote is read by then.
      this.#grace = setTimeout(() => this.#release(), REST_MS);
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
    const {child, out, resolve} = this.parts;
    const by = this.#by ?? (killer === null ? 'itself' : 'signal');
    resolve({by, ...(code === null ? {} : {exitCode: code}), ...(killer ? {detail: killer} : {}), ...out.read()});
    const {pid} = child;
    if (pid === undefined) return;
    // What it left in the background may stay until the session ends, unless it had to be ended itself.
    if (this.#by !== undefined || this.parts.signal.aborted) send(-pid, 'SIGKILL');
    else if (this.parts.request.platform !== 'win32' && send(-pid, 0)) this.parts.keep(pid);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.parts.signal.removeEventListener('abort', this.#abort);
  }

  #end(by?: 'timeout' | 'output'): void {
    const {child, request} = this.parts;
    this.#by ??= by;
    const {pid} = child;
    if (pid === undefined) return;
    const target = request.platform === 'win32' ? pid : -pid;
    send(target, 'SIGTERM');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => send(target, 'SIGKILL'), TERM_MS);
  }
}

/** Whether there was a process to signal. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return kill(pid, signal);
  } catch (error) {
    // Nothing of it is left, or nothing that is ours.
    if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
