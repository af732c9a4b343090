import type {ModelEvent, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import type {OpenApi} from './api.js';
import {toConfig, toContents} from './contents.js';
import {brokenOff} from './explain-error.js';
import {AnswerReader} from './read-chunk.js';
import {untilAborted} from './until-aborted.js';

interface Asking extends Pick<OpenApi, 'client' | 'host' | 'explain'> {
  readonly signal: AbortSignal;
  newId(): string;
}

/** Sends a request and gives its answer chunk by chunk; ends with one `end` or `failed`. */
export async function* streamAnswer(
  request: ModelRequest,
  {client, host, signal, newId, explain}: Asking,
): AsyncGenerator<ModelEvent> {
  const {model, messages} = request;
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  signal.addEventListener('abort', leave, {once: true});
  const reader = new AnswerReader({model, host}, newId);
  let isReading = false;
  try {
    const params = {
      model,
      contents: toContents(messages, model),
      config: {...toConfig(request), abortSignal: leaving.signal},
    };
    const chunks = await untilAborted(client.models.generateContentStream(params), signal);
    isReading = true;
    for (;;) {
      const {done, value} = await untilAborted(chunks.next(), signal);
      if (done) break;
      yield* reader.read(value);
    }
    yield reader.end ?? {kind: 'failed', failure: brokenOff(model, host)};
  } catch (error) {
    signal.throwIfAborted();
    // Once it has said how it ended, nothing is missing.
    yield reader.end ?? {kind: 'failed', failure: await explain(error, model, isReading)};
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}
