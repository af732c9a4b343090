import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import type {Writable} from 'node:stream';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';
import type {ProcessGroups, Spawn} from '@gemini-kernel/processes';
import type {JSONRPCMessage, Transport} from '../sdk/client.js';
import {Lines} from './lines.js';
import type {ServerLog} from './server-log.js';

export interface StdioRequest {
  readonly program: Program | Confined;
  readonly processes: ProcessGroups;
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
    const {program, processes, spawn} = this.request;
    const child = processes.start({...program, spawn});
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
      this.request.processes.signal(child, 'SIGKILL');
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
    const child = this.#child;
    if (child?.stdin && (await write(child.stdin, `${JSON.stringify(message)}\n`))) return;
    // A pipe breaks a moment before the end of the process is known; after it, the next call starts a new one.
    if (child && this.#child) await within(once(child, 'close'), LEAVE_MS);
    throw new Error(`the server ${this.ended ?? 'is not running'}`);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const {processes} = this.request;
    this.ended ??= 'was closed';
    const gone = once(child, 'close');
    child.stdin?.end();
    if (await within(gone, LEAVE_MS)) return;
    processes.signal(child, 'SIGTERM');
    if (await within(gone, TERMINATE_MS)) return;
    processes.signal(child, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
    await within(gone, TERMINATE_MS);
  }
}

/** Whether a text could be written, once there is room for more. */
async function write(stdin: Writable, text: string): Promise<boolean> {
  if (!stdin.writable) return false;
  if (stdin.write(text)) return true;
  return Promise.race([once(stdin, 'drain').then(() => true), once(stdin, 'close').then(() => false)]).catch(
    // The end of the process says more than a broken pipe.
    () => false,
  );
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
