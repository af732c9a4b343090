import type {
  Attributes,
  Batch,
  LogRecord,
  MetricPoint,
  MetricRecord,
  Source,
  SpanRecord,
} from '../../record/records.js';

const SCOPE = {name: 'gemini-cli', version: 'v1'};
const KINDS = {internal: 0, client: 2} as const;
const CUMULATIVE = 1;
const FAILED = 2;
const FINE = 1;
const INFO = 9;

/**
 * A batch as Gemini CLI writes it into its `outfile`: one object after the other, over several lines, with the fields
 * that readers of such files look for.
 */
export function toReferenceLayout({spans, logs, metrics}: Batch, source: Source): string {
  const resource = {_rawAttributes: Object.entries(source.resource), attributes: source.resource};
  const objects = [
    ...spans.map((span) => ({...layOutSpan(span), resource})),
    ...logs.map((log) => ({...layOutLog(log), resource})),
    ...(metrics.length > 0
      ? [{resource, scopeMetrics: [{scope: SCOPE, metrics: metrics.map((one) => layOutMetric(one, source.started))}]}]
      : []),
  ];
  return objects.map((one) => `${JSON.stringify(one, undefined, 2)}\n`).join('');
}

function layOutSpan({traceId, spanId, parentId, name, kind, began, ended, attributes, error}: SpanRecord): object {
  return {
    instrumentationScope: SCOPE,
    name,
    kind: KINDS[kind],
    _spanContext: {traceId, spanId, traceFlags: 1},
    ...(parentId === undefined ? {} : {parentSpanContext: {traceId, spanId: parentId, traceFlags: 1}}),
    startTime: toPair(began),
    endTime: toPair(ended),
    duration: toPair(ended - began),
    status: error === undefined ? {code: FINE} : {code: FAILED, message: error},
    attributes: present(attributes),
  };
}

function layOutLog({time, body, attributes, traceId, spanId}: LogRecord): object {
  return {
    hrTime: toPair(time),
    hrTimeObserved: toPair(time),
    ...(traceId === undefined ? {} : {spanContext: {traceId, spanId, traceFlags: 1}}),
    instrumentationScope: SCOPE,
    severityNumber: INFO,
    attributes: {'event.timestamp': new Date(time).toISOString(), ...present(attributes)},
    _body: body,
  };
}

function layOutMetric({name, unit, description, kind, bounds, points}: MetricRecord, started: number): object {
  return {
    descriptor: {name, type: kind === 'sum' ? 'COUNTER' : kind.toUpperCase(), description, unit},
    aggregationTemporality: CUMULATIVE,
    isMonotonic: kind === 'sum',
    dataPoints: points.map((point) => layOutPoint(point, {bounds, started})),
  };
}

function layOutPoint(
  {attributes, value}: MetricPoint,
  {bounds, started}: {readonly bounds: readonly number[]; readonly started: number},
): object {
  const head = {attributes: present(attributes), startTime: toPair(started), endTime: toPair(Date.now())};
  if (typeof value === 'number') return {...head, value};
  const {count, sum, min, max, buckets} = value;
  return {...head, value: {count, sum, min, max, buckets: {boundaries: bounds, counts: buckets}}};
}

/** Seconds and nanoseconds. */
function toPair(ms: number): readonly [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

function present(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
