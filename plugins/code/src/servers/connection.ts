import type {ChildProcess} from 'node:child_process';
import type {ProcessGroups} from '@gemini-kernel/processes';
import {frame, Frames} from './frames.js';

type Table = Readonly<Record<string, unknown>>;

/** Bytes that a server may leave unread. */
const MOST_UNREAD = 32 * 1024 * 1024;
/** The last of what it printed beside messages, in characters. */
const MOST_PRINTED = 400;

export interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Messages to and from a language server. The first thing that is no message ends it, with its process group; then
 * every request that waits fails with the reason.
 */
export class Connection {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #endings = new Set<(fault: string) => void>();
  #next = 1;
  #printed = '';
  #fault: string | undefined;

  constructor(
    child: ChildProcess,
    private readonly processes: ProcessGroups,
    private readonly onNotice: (method: string, params: unknown) => void,
  ) {
    this.#child = child;
    const frames = new Frames((body) => this.#receive(body));
    child.stdout?.on('data', (chunk: Buffer) => this.#guard(() => frames.push(chunk)));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#printed = (this.#printed + chunk.toString('utf8')).slice(-MOST_PRINTED);
    });
    // The end of the process says more than a broken pipe.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
    child.once('error', ({message}) => this.end(`it cannot be started: ${message}`));
    child.once('close', (code, signal) =>
      this.end(signal === null ? `it ended with ${code ?? 0}` : `${signal} ended it`),
    );
  }

  /** Why it is over, as a part of a sentence. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** The answer of the server. Rejects when the server answers with an error, and when it ends. */
  request(method: string, params: unknown): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject});
      this.#send({id, method, params});
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({method, params});
  }

  /** Ends the process group. The first reason counts. */
  end(fault: string): void {
    if (this.#fault !== undefined) return;
    const last = this.#printed.trim().split('\n').at(-1) ?? '';
    this.#fault = last === '' ? fault : `${fault}; its last output was ${JSON.stringify(last)}`;
    this.processes.signal(this.#child, 'SIGKILL');
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    for (const {reject} of this.#waiting.values()) reject(new Error(this.#fault));
    this.#waiting.clear();
    for (const ending of this.#endings) ending(this.#fault);
  }

  /** Calls once when it is over, unless the function that it gives is called before. */
  onEnd(act: (fault: string) => void): () => void {
    this.#endings.add(act);
    return () => this.#endings.delete(act);
  }

  #guard(act: () => void): void {
    if (this.#fault !== undefined) return;
    try {
      act();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.end(error.message);
    }
  }

  #send(message: Table): void {
    if (this.#fault !== undefined) {
      for (const {reject} of this.#waiting.values()) reject(new Error(this.#fault));
      this.#waiting.clear();
      return;
    }
    this.#child.stdin?.write(frame({jsonrpc: '2.0', ...message}));
    if ((this.#child.stdin?.writableLength ?? 0) > MOST_UNREAD) this.end('it reads nothing');
  }

  #receive(body: string): void {
    let message: unknown;
    try {
      message = JSON.parse(body);
    } catch (cause) {
      throw new Error('it sent a message that is no JSON', {cause});
    }
    if (!isTable(message)) throw new Error('it sent a message that is no object');
    const {id, method, params} = message;
    if (typeof method !== 'string') this.#answer(message);
    else if (id === undefined) this.onNotice(method, params);
    else this.#send(replyTo(id, method, params));
  }

  /** An answer to nothing that was asked is left out. */
  #answer({id, result, error}: Table): void {
    if (typeof id !== 'number') return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!isTable(error)) waiting?.resolve(result);
    else waiting?.reject(new Error(`it answered ${JSON.stringify(String(error['message']).slice(0, MOST_PRINTED))}`));
  }
}

/** A server changes nothing here, and its settings are its own. */
function replyTo(id: unknown, method: string, params: unknown): Table {
  if (method === 'workspace/configuration') {
    const items = isTable(params) && Array.isArray(params['items']) ? params['items'].slice(0, 100) : [];
    return {id, result: items.map(() => null)};
  }
  if (method === 'workspace/applyEdit') return {id, result: {applied: false}};
  if (/^(?:client\/(?:un)?registerCapability|window\/workDoneProgress\/create)$/.test(method))
    return {id, result: null};
  return {id, error: {code: -32601, message: `${method} is not offered.`}};
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
