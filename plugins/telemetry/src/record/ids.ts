import {createHash, randomBytes} from 'node:crypto';

/** A place in a trace, as W3C Trace Context has it. */
export interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
}

const PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;
const NOTHING = /^0+$/;

export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

const SPAN_BYTES = 8;
const AT_ONCE = 64;

export function newSpanId(): string {
  return randomBytes(SPAN_BYTES).toString('hex');
}

/** Ids of many spans: asking for random bytes for each costs more than the rest of the span. */
export class SpanIds {
  #bytes = Buffer.alloc(0);

  next(): string {
    if (this.#bytes.length === 0) this.#bytes = randomBytes(SPAN_BYTES * AT_ONCE);
    const id = this.#bytes.toString('hex', 0, SPAN_BYTES);
    this.#bytes = this.#bytes.subarray(SPAN_BYTES);
    return id;
  }
}

/** The trace of something that has a name, so that all who know the name add to the same one. */
export function traceIdOf(name: string): string {
  return createHash('sha256').update(`trace ${name}`).digest('hex').slice(0, 32);
}

/** The span of something that has a name before it ends, such as a call, so that others can refer to it meanwhile. */
export function spanIdOf(traceId: string, name: string): string {
  return createHash('sha256').update(`${traceId} ${name}`).digest('hex').slice(0, 16);
}

/** Reads a `traceparent`; undefined when it is not one. */
export function readParent(text: string | undefined): TracePlace | undefined {
  const [, traceId = '', spanId = ''] = PARENT.exec(text?.trim() ?? '') ?? [];
  return traceId === '' || text?.startsWith('ff') || NOTHING.test(traceId) || NOTHING.test(spanId)
    ? undefined
    : {traceId, spanId};
}

export function writeParent({traceId, spanId}: TracePlace): string {
  return `00-${traceId}-${spanId}-01`;
}
