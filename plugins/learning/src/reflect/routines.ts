import {hasFailed} from '@gemini-kernel/plugin-agent/calls';
import type {CallRecord} from '@gemini-kernel/plugin-agent/contract';
import type {Finding} from '../contract.js';
import {commandOf} from './command-of.js';
import {idsOf} from './evidence.js';
import {shellQuote} from './shell-quote.js';

const TIMES = 3;
const SHORTEST = 3;
const LONGEST = 8;
/** Of one session; the rest is not looked at. */
const MOST_COMMANDS = 500;

interface Step {
  readonly label: string;
  readonly call: CallRecord;
}

/** The same commands in the same order again and again: a skill says the steps, and how to check them. */
export function findRoutines(calls: readonly CallRecord[]): readonly Finding[] {
  const steps = calls
    .filter((call) => call.status === 'done' && !hasFailed(call))
    .flatMap((call): readonly Step[] => {
      const label = commandOf(call);
      return label === undefined ? [] : [{label, call}];
    })
    .slice(0, MOST_COMMANDS);
  for (let length = LONGEST; length >= SHORTEST; length -= 1) {
    const found = findRow(steps, length);
    if (found) return [found];
  }
  return [];
}

/** The first row of so many different commands that stands there often enough, without overlapping itself. */
function findRow(steps: readonly Step[], length: number): Finding | undefined {
  const starts = new Map<string, number[]>();
  for (let at = 0; at + length <= steps.length; at += 1) {
    const labels = steps.slice(at, at + length).map(({label}) => label);
    if (new Set(labels).size < length) continue;
    const key = labels.join('\n');
    const own = starts.get(key) ?? [];
    if (at >= (own.at(-1) ?? -length) + length) starts.set(key, [...own, at]);
  }
  const [found] = [...starts].filter(([, own]) => own.length >= TIMES);
  if (!found) return undefined;
  const [key, own] = found;
  const labels = key.split('\n');
  const evidence = idsOf(own.flatMap((at) => steps[at]?.call ?? []));
  const description = `Runs ${labels.join(', then ')}.`;
  return {
    kind: 'skill',
    sentence: `${labels.join(', ')} were run in this order ${own.length} times. A skill says the steps once.`,
    evidence,
    command: `gemini skills new ${nameFor(labels)} --description ${shellQuote(description)}`,
  };
}

function nameFor(labels: readonly string[]): string {
  const words = labels.map(
    (label) =>
      label
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.at(-1) ?? 'step',
  );
  return words.slice(0, 3).join('-').slice(0, 60);
}
