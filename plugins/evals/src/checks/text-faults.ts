import {quote} from '../format/eval-source.js';

/** What is expected of a text. */
export interface TextCheck {
  readonly contains: readonly string[];
  readonly lacks: readonly string[];
  readonly pattern?: RegExp;
}

/** Why a text is not as expected, as sentences. `name` is how they begin. */
export function textFaults(name: string, text: string, {contains, lacks, pattern}: TextCheck): readonly string[] {
  return [
    ...contains.filter((part) => !text.includes(part)).map((part) => `${name} does not contain ${quote(part)}.`),
    ...lacks.filter((part) => text.includes(part)).map((part) => `${name} contains ${quote(part)}.`),
    ...(pattern === undefined || pattern.test(text) ? [] : [`${name} does not match ${quote(pattern.source)}.`]),
  ];
}
