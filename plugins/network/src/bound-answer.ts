/** An image, or a file of a whole module, fits into one event many times over. */
const LARGEST_EVENT = 32 * 2 ** 20;
/** No answer of a model comes near. */
const LARGEST_ANSWER = 512 * 2 ** 20;
/** A server that says every second for an hour that it is still there needs a tenth of it. */
const MOST_SILENCE = 2 ** 20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The body of an answer has no end that anyone could wait for. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

export interface AnswerLimits {
  readonly event: number;
  readonly answer: number;
  /** Bytes that hold no data: comments, and events without any. */
  readonly silence: number;
}

/**
 * The same answer, whose body fails with AnswerTooLarge when one event of a stream, the whole of another answer, or all
 * events together are too large. Events are handed on whole, so that a reader does not look through the beginning of a
 * long one again and again; comments are left out.
 */
export function boundAnswer(
  response: Response,
  limits: AnswerLimits = {event: LARGEST_EVENT, answer: LARGEST_ANSWER, silence: MOST_SILENCE},
): Response {
  if (!response.body) return response;
  const {status, statusText, headers} = response;
  const isStream = (headers.get('content-type') ?? '').startsWith('text/event-stream');
  const body = response.body.pipeThrough(isStream ? boundEvents(limits) : boundWhole(limits.event));
  const bounded = new Response(body, {status, statusText, headers});
  // Who was asked tells an answer from one that was sent on.
  return Object.defineProperty(bounded, 'url', {value: response.url});
}

function boundWhole(most: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > most) throw tooLarge('an answer', most);
      controller.enqueue(chunk);
    },
  });
}

function boundEvents({event, answer, silence}: AnswerLimits): TransformStream<Uint8Array, Uint8Array> {
  const held: Uint8Array[] = [];
  let heldSize = 0;
  let size = 0;
  let silent = 0;
  const hold = (chunk: Uint8Array): void => {
    held.push(chunk);
    heldSize += chunk.length;
  };
  const release = (): Uint8Array => {
    const whole = Buffer.concat(held.splice(0));
    heldSize = 0;
    return whole;
  };
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      const end = endOfEvents(held.at(-1), chunk);
      if (heldSize + (end === 0 ? chunk.length : end) > event) throw tooLarge('an event', event);
      if (size > answer) throw tooLarge('an answer', answer);
      if (end === 0) return hold(chunk);
      hold(chunk.subarray(0, end));
      const whole = release();
      if (hasData(whole)) controller.enqueue(whole);
      else silent += whole.length;
      if (silent > silence) throw tooLarge('comments', silence);
      if (end < chunk.length) hold(chunk.subarray(end));
    },
    flush(controller) {
      if (heldSize > 0) controller.enqueue(release());
    },
  });
}

function hasData(events: Uint8Array): boolean {
  return Buffer.from(events.buffer, events.byteOffset, events.length).includes('data');
}

/** Where in a chunk the last line ends that is empty; 0 when there is none. `before` is what came just before it. */
function endOfEvents(before: Uint8Array | undefined, chunk: Uint8Array): number {
  const byteAt = (index: number): number | undefined => (index >= 0 ? chunk[index] : before?.[before.length + index]);
  for (let end = chunk.length; end > 0; end -= 1) {
    if (byteAt(end - 1) !== LINE_FEED && byteAt(end - 1) !== CARRIAGE_RETURN) continue;
    const last = byteAt(end - 1);
    const isPair = last === LINE_FEED && byteAt(end - 2) === CARRIAGE_RETURN;
    const previous = byteAt(end - (isPair ? 3 : 2));
    if (previous === LINE_FEED || (previous === CARRIAGE_RETURN && last === CARRIAGE_RETURN)) return end;
  }
  return 0;
}

function tooLarge(what: string, most: number): AnswerTooLarge {
  return new AnswerTooLarge(`${what} of more than ${most / 2 ** 20} MB`);
}
