import type {SettingSchema} from './settings-schema.js';

/** Whether a value keeps the limits of a schema: the size of a number, the length of a text or a list, a pattern. */
export function keepsLimits(value: unknown, schema: SettingSchema): boolean {
  if (typeof value === 'number') return isWithin(value, schema.minimum, schema.maximum);
  if (Array.isArray(value)) return isWithin(value.length, schema.minItems, schema.maxItems);
  if (typeof value !== 'string') return true;
  const {pattern, minLength, maxLength} = schema;
  return (
    isWithin(value.length, minLength, maxLength) && (pattern === undefined || new RegExp(pattern, 'u').test(value))
  );
}

/** The limits in words, to stand after what the value is: ` of at least 1 and at most 9`; empty without limits. */
export function describeLimits(schema: SettingSchema): string {
  const {minimum, maximum, minLength, maxLength, minItems, maxItems, pattern} = schema;
  const all = [
    ...between(minimum, maximum, ''),
    ...between(minLength, maxLength, ' characters'),
    ...between(minItems, maxItems, ' items'),
  ];
  const limits = all.length > 0 ? ` of ${all.join(' and ')}` : '';
  return pattern === undefined ? limits : `${limits} that matches ${pattern}`;
}

function isWithin(size: number, least = -Infinity, most = Infinity): boolean {
  return size >= least && size <= most;
}

function between(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  return [
    ...(least === undefined ? [] : [`at least ${least}${unit}`]),
    ...(most === undefined ? [] : [`at most ${most}${unit}`]),
  ];
}
