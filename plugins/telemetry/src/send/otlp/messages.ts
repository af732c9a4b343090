import type {Signal} from './otlp-json.js';

/** `repeated` messages are written one after the other, `packed` numbers in one piece. */
export interface Field {
  readonly number: number;
  readonly type: 'string' | 'hex' | 'bool' | 'varint' | 'fixed64' | 'double' | MessageName;
  readonly isPacked?: true;
}

/** The messages that are sent, with the fields that are used: opentelemetry-proto 1.9, which is stable. */
export const messages = {
  TracesRequest: {resourceSpans: {number: 1, type: 'ResourceSpans'}},
  ResourceSpans: {resource: {number: 1, type: 'Resource'}, scopeSpans: {number: 2, type: 'ScopeSpans'}},
  ScopeSpans: {scope: {number: 1, type: 'Scope'}, spans: {number: 2, type: 'Span'}},
  Span: {
    traceId: {number: 1, type: 'hex'},
    spanId: {number: 2, type: 'hex'},
    parentSpanId: {number: 4, type: 'hex'},
    name: {number: 5, type: 'string'},
    kind: {number: 6, type: 'varint'},
    startTimeUnixNano: {number: 7, type: 'fixed64'},
    endTimeUnixNano: {number: 8, type: 'fixed64'},
    attributes: {number: 9, type: 'KeyValue'},
    status: {number: 15, type: 'Status'},
  },
  Status: {message: {number: 2, type: 'string'}, code: {number: 3, type: 'varint'}},
  LogsRequest: {resourceLogs: {number: 1, type: 'ResourceLogs'}},
  ResourceLogs: {resource: {number: 1, type: 'Resource'}, scopeLogs: {number: 2, type: 'ScopeLogs'}},
  ScopeLogs: {scope: {number: 1, type: 'Scope'}, logRecords: {number: 2, type: 'LogRecord'}},
  LogRecord: {
    timeUnixNano: {number: 1, type: 'fixed64'},
    severityNumber: {number: 2, type: 'varint'},
    severityText: {number: 3, type: 'string'},
    body: {number: 5, type: 'AnyValue'},
    attributes: {number: 6, type: 'KeyValue'},
    traceId: {number: 9, type: 'hex'},
    spanId: {number: 10, type: 'hex'},
    observedTimeUnixNano: {number: 11, type: 'fixed64'},
    eventName: {number: 12, type: 'string'},
  },
  MetricsRequest: {resourceMetrics: {number: 1, type: 'ResourceMetrics'}},
  ResourceMetrics: {resource: {number: 1, type: 'Resource'}, scopeMetrics: {number: 2, type: 'ScopeMetrics'}},
  ScopeMetrics: {scope: {number: 1, type: 'Scope'}, metrics: {number: 2, type: 'Metric'}},
  Metric: {
    name: {number: 1, type: 'string'},
    description: {number: 2, type: 'string'},
    unit: {number: 3, type: 'string'},
    gauge: {number: 5, type: 'Gauge'},
    sum: {number: 7, type: 'Sum'},
    histogram: {number: 9, type: 'Histogram'},
  },
  Gauge: {dataPoints: {number: 1, type: 'NumberDataPoint'}},
  Sum: {
    dataPoints: {number: 1, type: 'NumberDataPoint'},
    aggregationTemporality: {number: 2, type: 'varint'},
    isMonotonic: {number: 3, type: 'bool'},
  },
  Histogram: {
    dataPoints: {number: 1, type: 'HistogramDataPoint'},
    aggregationTemporality: {number: 2, type: 'varint'},
  },
  NumberDataPoint: {
    startTimeUnixNano: {number: 2, type: 'fixed64'},
    timeUnixNano: {number: 3, type: 'fixed64'},
    asDouble: {number: 4, type: 'double'},
    attributes: {number: 7, type: 'KeyValue'},
  },
  HistogramDataPoint: {
    startTimeUnixNano: {number: 2, type: 'fixed64'},
    timeUnixNano: {number: 3, type: 'fixed64'},
    count: {number: 4, type: 'fixed64'},
    sum: {number: 5, type: 'double'},
    bucketCounts: {number: 6, type: 'fixed64', isPacked: true},
    explicitBounds: {number: 7, type: 'double', isPacked: true},
    attributes: {number: 9, type: 'KeyValue'},
    min: {number: 11, type: 'double'},
    max: {number: 12, type: 'double'},
  },
  Resource: {attributes: {number: 1, type: 'KeyValue'}},
  Scope: {name: {number: 1, type: 'string'}, version: {number: 2, type: 'string'}},
  KeyValue: {key: {number: 1, type: 'string'}, value: {number: 2, type: 'AnyValue'}},
  AnyValue: {
    stringValue: {number: 1, type: 'string'},
    boolValue: {number: 2, type: 'bool'},
    intValue: {number: 3, type: 'varint'},
    doubleValue: {number: 4, type: 'double'},
    arrayValue: {number: 5, type: 'ArrayValue'},
  },
  ArrayValue: {values: {number: 1, type: 'AnyValue'}},
} as const satisfies Record<string, Readonly<Record<string, {number: number; type: string; isPacked?: true}>>>;

export type MessageName = keyof typeof messages;

export const requestOf: Readonly<Record<Signal, MessageName>> = {
  traces: 'TracesRequest',
  logs: 'LogsRequest',
  metrics: 'MetricsRequest',
};
