import {SentErrors} from './error-form.js';
import {readMessage, type Message} from './message.js';
import {pack, unpack, type Part, type Ref} from './parts.js';

/** What was lent to the other side together, and ends together. */
export class Lease {
  readonly ids: number[] = [];
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly lease: Lease | undefined;
}

interface PeerParts {
  /** Sends one message. Throws KernelError FRAME_TOO_LARGE. */
  send(message: unknown): void;
  /** Answers a request of the other side. */
  answer(method: string, params: readonly unknown[]): unknown;
}

/** Requests of the other side that are at work at the same time; one more ends the connection. */
const MOST_OPEN = 1000;
/** Methods of the connection itself. */
const CALL = '$call';
const NEXT = '$next';
const RETURN = '$return';

/**
 * One end of a connection: requests both ways. Functions, signals and streams in what is asked and answered become
 * stand-ins, which end with the request that they were lent for, or with their lease.
 */
export class Peer {
  readonly #pending = new Map<number, Pending>();
  readonly #lent = new Map<number, Part>();
  /** Of what was lent, the streams that were given back. */
  readonly #streams = new Set<number>();
  readonly #iterators = new Map<number, AsyncIterator<unknown>>();
  readonly #signals = new Map<number, AbortController>();
  readonly #errors = new SentErrors();
  #next = 0;
  #open = 0;
  #closed: Error | undefined;

  constructor(private readonly parts: PeerParts) {}

  /** How many requests wait for an answer. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Asks the other side. What `params` lend ends with the answer, or with `lease` where it is given. */
  request(method: string, params: readonly unknown[], lease?: Lease): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = (this.#next += 1);
    const own = lease ?? new Lease();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, {resolve, reject, lease: lease ? undefined : own});
      try {
        const {value, refs} = pack(params, (part) => this.#lend(part, own));
        this.parts.send({id, method, params: value, ...(refs.length > 0 ? {refs} : {})});
      } catch (error) {
        this.#pending.delete(id);
        this.release(own);
        reject(error);
      }
    });
  }

  /** Takes back what a lease lent. */
  release({ids}: Lease): void {
    for (const id of ids.splice(0)) {
      this.#lent.delete(id);
      this.#iterators.delete(id);
    }
  }

  /** Takes a message of the other side. Throws an Error for one that no peer sends. */
  receive(message: unknown): void {
    const {id, method, params = [], refs = [], ...rest} = readMessage(message);
    if (method === undefined) return this.#settle(id, {refs, ...rest});
    if (method === '$abort') return this.#abort(params);
    if (this.#open >= MOST_OPEN) throw new Error(`It has more than ${MOST_OPEN} requests at work.`);
    const signals = refs.filter(({kind}) => kind === 'signal').map((ref) => ref.id);
    const given = unpack({value: params, refs}, (ref) => this.#standIn(ref)) as readonly unknown[];
    this.#open += 1;
    void this.#answer(id, method, given).finally(() => {
      this.#open -= 1;
      if (!method.endsWith('.keep')) for (const one of signals) this.#signals.delete(one);
    });
  }

  /** Fails what waits for the other side, and everything after it. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const {reject} of this.#pending.values()) reject(reason);
    this.#pending.clear();
    for (const controller of this.#signals.values()) controller.abort(reason);
    for (const iterator of this.#iterators.values()) void iterator.return?.().catch(() => undefined);
    this.#iterators.clear();
    this.#streams.clear();
    this.#lent.clear();
  }

  async #answer(id: number, method: string, params: readonly unknown[]): Promise<void> {
    try {
      const result = await this.#act(method, params);
      const {value, refs} = pack(result, (part) => {
        if (typeof part === 'function' || part instanceof AbortSignal)
          throw new TypeError('Only data and streams can be given back.');
        return this.#lendStream(part);
      });
      this.#send({id, result: value, refs});
    } catch (error) {
      this.#send({id, error: this.#errors.write(error)});
    }
  }

  /** An answer that cannot be sent is an error; that the other side has gone is known elsewhere. */
  #send(message: Pick<Message, 'id' | 'result' | 'error' | 'refs'>): void {
    if (this.#closed) return;
    try {
      this.parts.send(message);
    } catch (error) {
      this.parts.send({id: message.id, error: this.#errors.write(error)});
    }
  }

  #act(method: string, params: readonly unknown[]): unknown {
    if (![CALL, NEXT, RETURN].includes(method)) return this.parts.answer(method, params);
    const [id, given] = params;
    const part = this.#lent.get(Number(id));
    if (part === undefined || part instanceof AbortSignal) throw new Error('What it calls is over.');
    if (method === CALL) {
      if (typeof part !== 'function' || !Array.isArray(given)) throw new Error('What it calls is no function.');
      return part(...(given as unknown[]));
    }
    if (typeof part === 'function') throw new Error('What it reads is no stream.');
    return this.#pull(Number(id), part, method === RETURN);
  }

  async #pull(id: number, stream: AsyncIterable<unknown>, isOver: boolean): Promise<unknown> {
    const iterator = this.#iterators.get(id) ?? stream[Symbol.asyncIterator]();
    this.#iterators.set(id, iterator);
    const end = (): void => {
      this.#streams.delete(id);
      this.#iterators.delete(id);
      this.#lent.delete(id);
    };
    try {
      const {done = false, value} = isOver
        ? ((await iterator.return?.()) ?? {done: true, value: undefined})
        : await iterator.next();
      if (done || isOver) end();
      return {done: done || isOver, value: value as unknown};
    } catch (error) {
      end();
      throw error;
    }
  }

  #settle(
    id: number,
    {result, error, refs}: Pick<Message, 'result' | 'error'> & {readonly refs: readonly Ref[]},
  ): void {
    const pending = this.#pending.get(id);
    // An answer that was not asked for, or the second one.
    if (!pending) return;
    this.#pending.delete(id);
    if (pending.lease) this.release(pending.lease);
    if (error !== undefined) return pending.reject(this.#errors.read(error));
    try {
      pending.resolve(unpack({value: result, refs}, (ref) => this.#answered(ref)));
    } catch (fault) {
      pending.reject(fault);
      throw fault;
    }
  }

  #lend(part: Part, lease: Lease): number {
    const id = (this.#next += 1);
    this.#lent.set(id, part);
    lease.ids.push(id);
    if (part instanceof AbortSignal) this.#follow(id, part);
    return id;
  }

  /** One that is given back is there until it was read to its end. */
  #lendStream(stream: AsyncIterable<unknown>): number {
    if (this.#streams.size >= MOST_OPEN)
      throw new Error(`It has more than ${MOST_OPEN} streams that it does not read.`);
    const id = this.#lend(stream, new Lease());
    this.#streams.add(id);
    return id;
  }

  #follow(id: number, signal: AbortSignal): void {
    const tell = (): void => {
      if (!this.#closed && this.#lent.has(id))
        this.parts.send({id: 0, method: '$abort', params: [id, this.#errors.write(signal.reason)]});
    };
    // The message that lends it has to be there before.
    if (signal.aborted) queueMicrotask(tell);
    else signal.addEventListener('abort', tell, {once: true});
  }

  #abort([id, reason]: readonly unknown[]): void {
    this.#signals.get(Number(id))?.abort(this.#errors.read(reason));
  }

  #answered(ref: Ref): Part {
    if (ref.kind !== 'stream') throw new Error('It gave back what only a request can lend.');
    return this.#standIn(ref);
  }

  #standIn({kind, id}: Ref): Part {
    if (kind === 'function') return (...all) => this.request(CALL, [id, all]);
    if (kind === 'stream') return this.#stream(id);
    const controller = new AbortController();
    this.#signals.set(id, controller);
    return controller.signal;
  }

  async *#stream(id: number): AsyncGenerator {
    let isDone = false;
    try {
      for (;;) {
        const {done, value} = (await this.request(NEXT, [id])) as IteratorResult<unknown>;
        isDone = done === true;
        if (isDone) return;
        yield value;
      }
    } catch (error) {
      isDone = true;
      throw error;
    } finally {
      if (!isDone) void this.request(RETURN, [id]).catch(() => undefined);
    }
  }
}
