import {createHash} from 'node:crypto';
import type {Truth} from './ground-truth.js';

/** What the model must get to know, or do, about one symbol. */
export interface Question {
  readonly kind: 'read' | 'uses' | 'edit';
  readonly truth: Truth;
}

const EACH: Readonly<Record<Question['kind'], number>> = {read: 6, uses: 3, edit: 3};
/** Shorter ones are seen where they are found. */
const SHORTEST = 5;
/** Of longer ones the outline is read first, whichever way they are found. */
const LONGEST = 200;

/** Twelve questions about a checkout, always the same for the same files. */
export function askAbout(truths: readonly Truth[]): readonly Question[] {
  const usable = unique(truths).filter(({first, last}) => last - first <= LONGEST);
  const questions: Question[] = [];
  for (const [kind, most] of Object.entries(EACH) as [Question['kind'], number][])
    questions.push(...usable.splice(0, most).map((truth) => ({kind, truth})));
  return questions;
}

/** Symbols whose name no other symbol of the checkout has, in an order that says nothing about them. */
export function unique(truths: readonly Truth[]): readonly Truth[] {
  const count = new Map<string, number>();
  for (const {name} of truths) count.set(name, (count.get(name) ?? 0) + 1);
  return truths
    .filter(({name, first, last}) => count.get(name) === 1 && last - first >= SHORTEST && !name.startsWith('__'))
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function orderOf({path, name}: Truth): string {
  return createHash('sha256').update(`${path} ${name}`).digest('hex');
}
