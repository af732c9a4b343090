import type {
  AttributeValue,
  Attributes,
  Batch,
  LogRecord,
  MetricPoint,
  MetricRecord,
  Source,
  SpanRecord,
} from '../../record/records.js';

/** A message of the OpenTelemetry protocol in its JSON form. */
export type Message = Readonly<Record<string, unknown>>;

export type Signal = 'traces' | 'logs' | 'metrics';

const SCOPE = {name: 'gemini-cli', version: 'v1'};
const KINDS = {internal: 1, client: 3} as const;
const CUMULATIVE = 2;
const FAILED = 2;
const FINE = 1;
const INFO = 9;

type ToPairs = (attributes: Attributes) => readonly Message[];

/**
 * The requests that a batch becomes: one for each signal that it has something of. The same attribute is the same
 * object in all of them.
 */
export function toRequests(batch: Batch, source: Source): readonly {readonly signal: Signal; readonly body: Message}[] {
  const toPairs = createPairs();
  const resource = {attributes: toPairs(source.resource)};
  const wrap = (outer: string, scoped: string, inner: string, records: readonly Message[]): Message => ({
    [outer]: [{resource, [scoped]: [{scope: SCOPE, [inner]: records}]}],
  });
  const spans = batch.spans.map((span) => toSpan(span, toPairs));
  const logs = batch.logs.map((log) => toLog(log, toPairs));
  const metrics = batch.metrics.map((metric) => toMetric(metric, {started: source.started, toPairs}));
  return [
    ...(spans.length > 0
      ? [{signal: 'traces' as const, body: wrap('resourceSpans', 'scopeSpans', 'spans', spans)}]
      : []),
    ...(logs.length > 0
      ? [{signal: 'logs' as const, body: wrap('resourceLogs', 'scopeLogs', 'logRecords', logs)}]
      : []),
    ...(metrics.length > 0
      ? [{signal: 'metrics' as const, body: wrap('resourceMetrics', 'scopeMetrics', 'metrics', metrics)}]
      : []),
  ];
}

function toSpan(span: SpanRecord, toPairs: ToPairs): Message {
  const {traceId, spanId, parentId, name, kind, began, ended, attributes, error} = span;
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : {parentSpanId: parentId}),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanos(began),
    endTimeUnixNano: toNanos(ended),
    attributes: toPairs(attributes),
    status: error === undefined ? {code: FINE} : {code: FAILED, message: error},
  };
}

function toLog({time, name, body, attributes, traceId, spanId}: LogRecord, toPairs: ToPairs): Message {
  return {
    timeUnixNano: toNanos(time),
    observedTimeUnixNano: toNanos(time),
    severityNumber: INFO,
    severityText: 'INFO',
    eventName: name,
    body: {stringValue: body},
    attributes: toPairs(attributes),
    ...(traceId === undefined ? {} : {traceId}),
    ...(spanId === undefined ? {} : {spanId}),
  };
}

function toMetric(
  {name, unit, description, kind, bounds, points}: MetricRecord,
  {started, toPairs}: {readonly started: number; readonly toPairs: ToPairs},
): Message {
  const times = {startTimeUnixNano: toNanos(started), timeUnixNano: toNanos(Date.now())};
  const dataPoints = points.map((point) => ({
    ...times,
    attributes: toPairs(point.attributes),
    ...toPoint(point, bounds),
  }));
  const head = {name, unit, description};
  if (kind === 'gauge') return {...head, gauge: {dataPoints}};
  const summed = {dataPoints, aggregationTemporality: CUMULATIVE};
  return kind === 'sum' ? {...head, sum: {...summed, isMonotonic: true}} : {...head, histogram: summed};
}

function toPoint({value}: MetricPoint, bounds: readonly number[]): Message {
  if (typeof value === 'number') return {asDouble: value};
  const {count, sum, min, max, buckets} = value;
  return {
    ...{count: String(count), sum, min, max},
    bucketCounts: buckets.map(String),
    explicitBounds: bounds,
  };
}

/** Most attributes of a batch are those of its session, again and again: each is made once. */
function createPairs(): ToPairs {
  const known = new Map<string, Map<AttributeValue, Message>>();
  const pair = (key: string, value: NonNullable<AttributeValue>): Message => {
    const values = known.get(key) ?? new Map<AttributeValue, Message>();
    known.set(key, values);
    const found = values.get(value) ?? {key, value: toValue(value)};
    values.set(value, found);
    return found;
  };
  return (attributes) => {
    const pairs: Message[] = [];
    for (const key in attributes) {
      const value = attributes[key];
      if (value !== undefined) pairs.push(pair(key, value));
    }
    return pairs;
  };
}

function toValue(value: NonNullable<AttributeValue>): Message {
  if (typeof value === 'string') return {stringValue: value};
  if (typeof value === 'boolean') return {boolValue: value};
  if (typeof value === 'number') return Number.isSafeInteger(value) ? {intValue: String(value)} : {doubleValue: value};
  return {arrayValue: {values: value.map((one) => ({stringValue: one}))}};
}

/** Nanoseconds do not fit into a number of JavaScript. */
export function toNanos(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}
