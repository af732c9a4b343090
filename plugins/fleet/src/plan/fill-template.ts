import type {Row} from './plan.js';
import {planFault} from './plan-fault.js';

const PLACE = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** The names in a template. */
export function namesIn(template: string): readonly string[] {
  return [...new Set([...template.matchAll(PLACE)].map(([, name = '']) => name))];
}

/** A text with the values of a row. Throws KernelError FLEET_PLAN_INVALID for a name that the row does not have. */
export function fillTemplate(template: string, row: Row, where: string): string {
  return template.replaceAll(PLACE, (_, name: string) => {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value !== undefined) return value;
    const known = Object.keys(row).map((one) => `{{${one}}}`);
    throw planFault(where, `the row has no value for {{${name}}}.`, {hint: `It has ${known.join(', ') || 'none'}.`});
  });
}
