/** One record of a file of telemetry. */
export interface ReadRecord {
  /** ISO; empty for metrics. */
  readonly time: string;
  readonly kind: 'event' | 'span' | 'metrics';
  readonly name: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The records of a text, in the layout of Gemini CLI or of OTLP lines, and the end that is not complete yet. What is
 * not a record is skipped: other programs may write to the same file.
 */
export function parseRecords(text: string): {readonly records: readonly ReadRecord[]; readonly rest: string} {
  const records: ReadRecord[] = [];
  let chunk: string[] = [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  for (const line of lines) {
    if (line.startsWith('{')) chunk = [];
    chunk.push(line);
    if (!line.startsWith('}') && !(line.startsWith('{') && line.length > 1)) continue;
    records.push(...readObject(chunk.join('\n')));
    chunk = [];
  }
  return {records, rest: [...chunk, last].join('\n')};
}

function readObject(text: string): readonly ReadRecord[] {
  try {
    const value = JSON.parse(text) as unknown;
    return isFields(value) ? [...readReference(value), ...readOtlp(value)] : [];
  } catch {
    return [];
  }
}

function readReference(value: Fields): readonly ReadRecord[] {
  const attributes = isFields(value['attributes']) ? value['attributes'] : {};
  if (Array.isArray(value['hrTime'])) {
    const name = String(attributes['event.name'] ?? 'event');
    return [{kind: 'event', time: fromPair(value['hrTime']), name, text: String(value['_body'] ?? ''), attributes}];
  }
  if (Array.isArray(value['startTime'])) {
    const text = `${Math.round(toMs(value['duration']))} ms`;
    return [{kind: 'span', time: fromPair(value['startTime']), name: String(value['name']), text, attributes}];
  }
  return Array.isArray(value['scopeMetrics']) ? [describeMetrics(value['scopeMetrics'], 'descriptor')] : [];
}

function readOtlp(value: Fields): readonly ReadRecord[] {
  const logs = inner(value, 'resourceLogs', 'scopeLogs', 'logRecords').map(
    ({timeUnixNano, eventName, body, attributes}): ReadRecord => ({
      kind: 'event',
      time: fromNanos(timeUnixNano),
      name: String(eventName),
      text: String(isFields(body) ? body['stringValue'] : ''),
      attributes: fromPairs(attributes),
    }),
  );
  const spans = inner(value, 'resourceSpans', 'scopeSpans', 'spans').map(
    ({startTimeUnixNano: from, endTimeUnixNano: to, name, attributes}): ReadRecord => ({
      kind: 'span',
      time: fromNanos(from),
      name: String(name),
      text: `${Math.round((Number(to) - Number(from)) / 1e6)} ms`,
      attributes: fromPairs(attributes),
    }),
  );
  const metrics = value['resourceMetrics'];
  const scopes = Array.isArray(metrics) ? metrics.flatMap((one) => list(one, 'scopeMetrics')) : [];
  return [...logs, ...spans, ...(scopes.length > 0 ? [describeMetrics(scopes, undefined)] : [])];
}

function describeMetrics(scopes: readonly unknown[], below: string | undefined): ReadRecord {
  const metrics = scopes.flatMap((scope) => list(scope, 'metrics'));
  const names = metrics.map((metric) => {
    const holder = below === undefined ? metric : metric[below];
    return isFields(holder) ? String(holder['name']) : '';
  });
  return {kind: 'metrics', time: '', name: 'metrics', text: names.join(', '), attributes: {}};
}

function inner(value: Fields, ...path: readonly string[]): readonly Fields[] {
  return path.reduce<readonly Fields[]>((all, key) => all.flatMap((one) => list(one, key)), [value]);
}

function list(value: unknown, key: string): readonly Fields[] {
  const found = isFields(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter(isFields) : [];
}

function fromPairs(pairs: unknown): Fields {
  return Object.fromEntries(
    list({pairs}, 'pairs').map(({key, value}) => [String(key), isFields(value) ? Object.values(value)[0] : undefined]),
  );
}

function fromPair(pair: unknown): string {
  return toTime(toMs(pair));
}

function fromNanos(nanos: unknown): string {
  return toTime(Number(nanos) / 1e6);
}

function toMs(pair: unknown): number {
  const [seconds, nanos] = Array.isArray(pair) ? pair : [];
  return Number(seconds) * 1000 + Number(nanos) / 1e6;
}

function toTime(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
