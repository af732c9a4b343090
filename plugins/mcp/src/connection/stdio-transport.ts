import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {kill as killProcess} from 'node:process';
import type {Environment} from '@gemini-kernel/kernel';
import type {JSONRPCMessage, Transport} from '../sdk/client.js';
import {Lines} from './lines.js';
import type {ServerLog} from './server-log.js';

type Spawn = (typeof import('../sdk/client.js'))['spawn'];

export interface StdioRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly platform: Environment['platform'];
  readonly log: ServerLog;
  readonly spawn: Spawn;
}

/** The longest message, in bytes. */
const LONGEST = 64 * 1024 * 1024;
/** How long a server may take to end when its input is closed, and then when it is asked to. */
const LEAVE_MS = 400;
const TERMINATE_MS = 800;

/**
 * Talks to a server over its standard input and output. The server leads a process group, which ends with the
 * connection. What it prints that is not a message goes to its log.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  /** How the process ended, as the end of a sentence. */
  ended: string | undefined;
  #child: ChildProcess | undefined;
  /** Messages are dealt with one after the other, so that progress comes before the answer that it belongs to. */
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly request: StdioRequest) {}

  async start(): Promise<void> {
    const {command, args, env, cwd, platform, spawn} = this.request;
    const child = spawn(command, [...args], {
      cwd,
      env: {...env},
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: platform !== 'win32',
    });
    this.#child = child;
    this.#listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  #listen(child: ChildProcess): void {
    const {log} = this.request;
    const lines = new Lines(
      LONGEST,
      (line) => this.#receive(line),
      () => this.onerror?.(new Error(`a message is longer than ${LONGEST / 1024 / 1024} MB`)),
    );
    child.stdout?.on('data', (chunk: Buffer) => lines.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => log.write(chunk.toString('utf8')));
    // The end of the process says more than a broken pipe.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
    child.on('error', (error) => this.onerror?.(error));
    child.once('close', (code, signal) => {
      this.ended ??= signal === null ? `ended with exit code ${code ?? 0}` : `was ended by ${signal}`;
      this.#child = undefined;
      // Helpers that it left behind end too.
      this.#signal(child, 'SIGKILL');
      this.onclose?.();
    });
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(line) as JSONRPCMessage;
    } catch {
      this.request.log.write(`[stdout] ${line}\n`);
      return;
    }
    if (typeof message !== 'object' || (message as {jsonrpc?: unknown} | null)?.jsonrpc !== '2.0') {
      this.request.log.write(`[stdout] ${line}\n`);
      return;
    }
    this.#last = this.#last.then(() => this.onmessage?.(message));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new Error(`the server ${this.ended ?? 'is not running'}`);
    if (!stdin.write(`${JSON.stringify(message)}\n`)) await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.ended ??= 'was closed';
    const gone = once(child, 'close');
    child.stdin?.end();
    if (await within(gone, LEAVE_MS)) return;
    this.#signal(child, 'SIGTERM');
    if (await within(gone, TERMINATE_MS)) return;
    this.#signal(child, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
    await within(gone, TERMINATE_MS);
  }

  /** The whole group where there are groups. */
  #signal({pid}: ChildProcess, signal: NodeJS.Signals): void {
    if (pid === undefined) return;
    try {
      killProcess(this.request.platform === 'win32' ? pid : -pid, signal);
    } catch (error) {
      // Nothing of it is left, or nothing that is ours.
      if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

async function within(event: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = new Promise<false>((resolve) => {
    const timeout = setTimeout(() => resolve(false), ms);
    timer.signal.addEventListener('abort', () => clearTimeout(timeout));
  });
  try {
    return await Promise.race([event.then(() => true), late]);
  } finally {
    timer.abort();
  }
}
