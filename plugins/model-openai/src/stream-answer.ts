import type {ModelEvent, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Endpoint} from './endpoint.js';
import {blocked, brokenOff, explainError, explainResponse, withoutKey} from './explain-error.js';
import {reach, readData, Unreachable} from './reach.js';
import {AnswerReader, type Chunk} from './read-chunk.js';
import {explainRefusal, type Asked} from './refusal.js';
import {toBody} from './request-body.js';

interface Asking {
  readonly endpoint: Endpoint;
  readonly network: Network;
  readonly signal: AbortSignal;
  newId(): string;
}

/** Sends a request and gives its answer chunk by chunk; ends with one `end` or `failed`. */
export async function* streamAnswer(
  request: ModelRequest,
  {endpoint, network, signal, newId}: Asking,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  signal.addEventListener('abort', leave, {once: true});
  const reader = new AnswerReader(newId);
  const asked = {model: request.model, baseUrl: endpoint.baseUrl};
  try {
    const response = await reach(endpoint, '/chat/completions', {
      network,
      signal: leaving.signal,
      body: toBody(request, endpoint.baseUrl),
    });
    const failure = await explainResponse(response, asked);
    if (failure) yield {kind: 'failed', failure: withoutKey(failure, endpoint.key)};
    else yield* readAnswer(response, reader, asked, signal);
  } catch (error) {
    signal.throwIfAborted();
    // Once it has said how it ended, nothing is missing.
    if (reader.finish !== undefined && !(error instanceof Unreachable)) yield* endOf(reader, asked);
    else yield {kind: 'failed', failure: withoutKey(await explainError(error, asked, network), endpoint.key)};
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

async function* readAnswer(
  response: Response,
  reader: AnswerReader,
  asked: Asked,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for await (const data of readData(response)) {
    if (data === '[DONE]') return yield* endOf(reader, asked);
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error) return yield {kind: 'failed', failure: explainRefusal({body: data}, asked)};
    for (const event of reader.read(chunk)) {
      yield event;
      // Do not deliver data that has arrived after the caller left.
      signal.throwIfAborted();
    }
  }
  if (reader.finish === undefined) yield {kind: 'failed', failure: brokenOff(asked)};
  else yield* endOf(reader, asked);
}

function* endOf(reader: AnswerReader, asked: Asked): Generator<ModelEvent> {
  if (reader.finish === 'content_filter') yield {kind: 'failed', failure: blocked(asked)};
  else yield* reader.finished();
}
