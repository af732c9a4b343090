import type {Attributes, MetricPoint, MetricRecord} from '../../record/records.js';

/** Metrics in the text format that Prometheus reads. */
export function toText(metrics: readonly MetricRecord[]): string {
  return metrics.map(writeMetric).join('');
}

function writeMetric({name, unit, description, kind, bounds, points}: MetricRecord): string {
  const plain = `${name.replaceAll(/[^a-zA-Z0-9_:]/g, '_')}${suffixOf(unit)}`;
  const whole = kind === 'sum' ? `${plain}_total` : plain;
  const type = kind === 'sum' ? 'counter' : kind;
  const lines = points.flatMap((point) => writePoint(whole, point, bounds));
  return [`# HELP ${whole} ${description}`, `# TYPE ${whole} ${type}`, ...lines, ''].join('\n');
}

const SUFFIXES: Readonly<Record<string, string>> = {ms: '_milliseconds', s: '_seconds', By: '_bytes'};

function suffixOf(unit: string): string {
  return SUFFIXES[unit] ?? '';
}

function writePoint(name: string, {attributes, value}: MetricPoint, bounds: readonly number[]): readonly string[] {
  if (typeof value === 'number') return [`${name}${writeLabels(attributes)} ${value}`];
  let below = 0;
  const buckets = value.buckets.map((count, index) => {
    below += count;
    const bound = bounds[index];
    return `${name}_bucket${writeLabels({...attributes, le: bound === undefined ? '+Inf' : String(bound)})} ${below}`;
  });
  const labels = writeLabels(attributes);
  return [...buckets, `${name}_sum${labels} ${value.sum}`, `${name}_count${labels} ${value.count}`];
}

function writeLabels(attributes: Attributes): string {
  const labels = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key.replaceAll(/[^a-zA-Z0-9_]/g, '_')}="${escape(String(value))}"`],
  );
  return labels.length === 0 ? '' : `{${labels.join(',')}}`;
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
