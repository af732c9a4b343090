import {messageOf} from '@gemini-kernel/kernel';
import type {Outbox} from '../record/outbox.js';
import {Meter} from '../record/meter.js';
import type {Batch, LogRecord, Sink, SpanRecord} from '../record/records.js';
import {SendFailure} from './send-failure.js';
import {Waiting} from './waiting.js';

export interface QueueOptions {
  readonly sink: Sink;
  /** Says once that batches do not arrive. */
  onFailure(message: string): void;
}

const FULL_BATCH = 512;
/**
 * While the first answer of a model is awaited: so the end of a session finds a connection that works, or knows that
 * none does.
 */
const FIRST_FLUSH_MS = 500;
const FLUSH_MS = 5000;
const SEND_LIMIT_MS = 10_000;
const FIRST_RETRY_MS = 5000;
const LAST_RETRY_MS = 300_000;
/** As long after its start a first batch may hold up the end of a session. */
const END_LIMIT_MS = 1000;

function waitFor(ms: number): {readonly promise: Promise<void>; forget(): void} {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  return {promise, forget: () => clearTimeout(timer)};
}

/** Collects records, and sends them in the background. */
export class Queue implements Outbox {
  readonly meter = new Meter();
  readonly #spans = new Waiting<SpanRecord>();
  readonly #logs = new Waiting<LogRecord>();
  #timer: NodeJS.Timeout | undefined;
  #sending: {readonly done: Promise<void>; readonly began: number} | undefined;
  #limit: AbortController | undefined;
  #failures = 0;
  #notBefore = 0;
  /** Measurements were left out of a batch. */
  #isOwing = false;
  failure: string | undefined;
  sent = 0;
  #refused = 0;

  constructor(private readonly options: QueueOptions) {}

  get waiting(): number {
    return this.#spans.length + this.#logs.length;
  }

  get dropped(): number {
    return this.#refused + this.#spans.dropped + this.#logs.dropped;
  }

  span(span: SpanRecord): void {
    this.#spans.push(span);
    this.#wait();
  }

  log(log: LogRecord): void {
    this.#logs.push(log);
    this.#wait();
  }

  /** Sends what waits now, as long as nothing shows that it would not arrive. */
  async finish(): Promise<void> {
    if (this.#failures > 0) return;
    const limit = Date.now() + END_LIMIT_MS;
    // Twice: what was recorded while a batch was on its way is another one.
    for (let round = 0; round < 2 && this.#failures === 0 && (this.waiting > 0 || this.#isOwing); round += 1) {
      const began = this.#sending?.began ?? Date.now();
      const left = Math.min(limit, began + END_LIMIT_MS) - Date.now();
      const {promise, forget} = waitFor(Math.max(0, left));
      await Promise.race([this.flush(), promise]);
      forget();
      // What has not arrived by now is given up, so that the program can end.
      await this.#giveUp();
    }
  }

  /** Sends one batch, or waits for the one that is on its way. Never rejects. */
  async flush(withMetrics = true): Promise<void> {
    if (!this.#sending) {
      const done = this.#send(withMetrics).finally(() => (this.#sending = undefined));
      this.#sending = {done, began: Date.now()};
    }
    await this.#sending.done;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#giveUp();
    await this.options.sink.close();
  }

  async #giveUp(): Promise<void> {
    if (!this.#sending) return;
    this.#limit?.abort();
    await this.#sending.done;
  }

  #wait(): void {
    if (this.waiting >= FULL_BATCH && !this.#sending && Date.now() >= this.#notBefore) void this.flush();
    const isFirst = this.sent === 0 && this.#failures === 0;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        // The first one only shows whether records arrive: measurements are sums, which later batches have too.
        if (Date.now() >= this.#notBefore) void this.flush(!isFirst);
        else if (this.waiting > 0) this.#wait();
      },
      isFirst ? FIRST_FLUSH_MS : FLUSH_MS,
    ).unref();
  }

  async #send(withMetrics: boolean): Promise<void> {
    const {sink} = this.options;
    const [spans, logs] = [this.#spans.take(), this.#logs.take()];
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), SEND_LIMIT_MS);
    this.#limit = limit;
    try {
      await sink.send({spans, logs, metrics: withMetrics ? this.meter.read() : []}, limit.signal);
      this.sent += spans.length + logs.length;
      this.#isOwing = !withMetrics;
      this.#failures = 0;
      this.failure = undefined;
    } catch (error) {
      this.#fail(error, {spans, logs});
    } finally {
      clearTimeout(timer);
    }
  }

  #fail(error: unknown, {spans, logs}: Pick<Batch, 'spans' | 'logs'>): void {
    const {canRetry, afterMs} = error instanceof SendFailure ? error : {canRetry: false, afterMs: undefined};
    this.failure = messageOf(error);
    if (this.#failures === 0) this.options.onFailure(this.failure);
    this.#failures += 1;
    const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1));
    this.#notBefore = Date.now() + Math.max(delay, Math.min(afterMs ?? 0, LAST_RETRY_MS));
    if (canRetry) {
      this.#spans.putBack(spans);
      this.#logs.putBack(logs);
    } else this.#refused += spans.length + logs.length;
  }
}
