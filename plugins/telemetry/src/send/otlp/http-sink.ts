import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Batch, Sink, Source} from '../../record/records.js';
import {sendAll} from '../send-all.js';
import {LATE, SendFailure} from '../send-failure.js';
import {toRequests, type Signal} from './otlp-json.js';

interface Target {
  /** The address before `/v1/…`, without a slash at its end. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** More headers, made for each batch. Rejects with SendFailure. */
  readonly authorize?: (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;
  readonly network: Network;
  readonly source: Source;
}

/** Answers that ask for the same batch again, as the protocol says. */
const LATER: readonly number[] = [429, 502, 503, 504];

/** Sends to a collector over HTTP, as JSON. */
export class HttpSink implements Sink {
  constructor(private readonly target: Target) {}

  get name(): string {
    return this.target.endpoint;
  }

  async send(batch: Batch, signal: AbortSignal): Promise<void> {
    const headers = {...this.target.headers, ...(await this.target.authorize?.(signal))};
    await sendAll(toRequests(batch, this.target.source), (request) => this.#post(request, headers, signal));
  }

  async close(): Promise<void> {
    // Connections are those of `fetch`.
  }

  async #post(
    {signal: kind, body}: {readonly signal: Signal; readonly body: unknown},
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const {endpoint, network} = this.target;
    const url = `${endpoint}/v1/${kind}`;
    const answer = await network
      .fetch(url, {
        method: 'POST',
        headers: {...headers, 'content-type': 'application/json'},
        body: JSON.stringify(body),
        // What is recorded is meant for this address.
        redirect: 'error',
        signal,
      })
      .catch(async (error: unknown) => {
        const late = signal.aborted ? LATE : undefined;
        throw new SendFailure(late ?? (await network.explain(url, error)).message, {canRetry: true});
      });
    await answer.body?.cancel();
    if (answer.ok) return;
    const after = Number(answer.headers.get('retry-after'));
    throw new SendFailure(`${url} answered ${answer.status}.`, {
      canRetry: LATER.includes(answer.status),
      ...(after > 0 ? {afterMs: after * 1000} : {}),
    });
  }
}
