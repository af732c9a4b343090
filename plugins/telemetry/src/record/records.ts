/** What an attribute can be; `undefined` is left out. */
export type AttributeValue = string | number | boolean | readonly string[] | undefined;

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A span that has ended. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  /** `client`: a request to another program. */
  readonly kind: 'internal' | 'client';
  /** In milliseconds since 1970, with fractions. */
  readonly began: number;
  readonly ended: number;
  readonly attributes: Attributes;
  /** Why it failed; empty when that is not to be said. */
  readonly error?: string;
}

/** An event, as a log record. */
export interface LogRecord {
  readonly time: number;
  /** `event.name`. */
  readonly name: string;
  readonly body: string;
  readonly attributes: Attributes;
  readonly traceId?: string;
  readonly spanId?: string;
}

/** How often values fell into each bucket; there is one bucket more than bounds. */
export interface Distribution {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly buckets: readonly number[];
}

export interface MetricPoint {
  readonly attributes: Attributes;
  readonly value: number | Distribution;
}

/** All points of one metric, since the program was started. */
export interface MetricRecord {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly bounds: readonly number[];
  readonly points: readonly MetricPoint[];
}

/** What is sent or written at once. */
export interface Batch {
  readonly spans: readonly SpanRecord[];
  readonly logs: readonly LogRecord[];
  readonly metrics: readonly MetricRecord[];
}

/** Who says it: the program, this process, and when it was started. */
export interface Source {
  readonly resource: Attributes;
  readonly started: number;
}

/** Where batches go. Rejects when a batch did not arrive. */
export interface Sink {
  /** For people: an address or a file. */
  readonly name: string;
  send(batch: Batch, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
