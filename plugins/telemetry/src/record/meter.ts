import {definitions, type Definition, type MetricName} from './metrics.js';
import type {Attributes, Distribution, MetricPoint, MetricRecord} from './records.js';

/** The most combinations of attributes of one metric; what comes later is counted together. */
const MOST_POINTS = 1000;
const OVERFLOW: Attributes = {'otel.metric.overflow': true};

interface Kept {
  readonly attributes: Attributes;
  value: number | Mutable;
}

interface Mutable extends Distribution {
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly buckets: number[];
}

/** Adds values up, from the start of the program on. */
export class Meter {
  readonly #metrics = new Map<MetricName, Map<string, Kept>>();

  /** Counts, or takes the value of a measurement in. */
  add(name: MetricName, value: number, attributes: Attributes): void {
    const {kind, bounds = []}: Definition = definitions[name];
    const kept = this.#find(name, attributes);
    if (kind === 'histogram') kept.value = put(kept.value, value, bounds);
    else if (kind === 'gauge') kept.value = value;
    else if (typeof kept.value === 'number') kept.value += value;
  }

  read(): readonly MetricRecord[] {
    return [...this.#metrics].map(([name, points]) => ({
      name,
      unit: '1',
      bounds: [],
      ...definitions[name],
      points: [...points.values()].map(({attributes, value}): MetricPoint => {
        return {attributes, value: typeof value === 'number' ? value : {...value, buckets: [...value.buckets]}};
      }),
    }));
  }

  #find(name: MetricName, attributes: Attributes): Kept {
    const points = this.#metrics.get(name) ?? new Map<string, Kept>();
    this.#metrics.set(name, points);
    const own = keyOf(attributes);
    const isFull = points.size >= MOST_POINTS && !points.has(own);
    const key = isFull ? keyOf(OVERFLOW) : own;
    const kept = points.get(key) ?? {attributes: isFull ? OVERFLOW : attributes, value: 0};
    points.set(key, kept);
    return kept;
  }
}

function keyOf(attributes: Attributes): string {
  return JSON.stringify(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function put(known: number | Mutable, value: number, bounds: readonly number[]): Mutable {
  const all =
    typeof known === 'number'
      ? {count: 0, sum: 0, min: Infinity, max: -Infinity, buckets: new Array<number>(bounds.length + 1).fill(0)}
      : known;
  const found = bounds.findIndex((bound) => value <= bound);
  const index = found < 0 ? bounds.length : found;
  all.buckets[index] = (all.buckets[index] ?? 0) + 1;
  all.count += 1;
  all.sum += value;
  all.min = Math.min(all.min, value);
  all.max = Math.max(all.max, value);
  return all;
}
