import {changesOf, findFact, sizeOf, startLongTalk, type Course} from '../plugins/context/talk.js';
import type {Bench} from './measure.js';

/** Sessions of 300 requests: many prompts and few, short outputs and long, one call at a time and several. */
const COURSES: readonly Course[] = [
  {requests: 300, calls: 1, size: 8000, perPrompt: 10},
  {requests: 300, calls: 1, size: 8000, perPrompt: 100},
  {requests: 300, calls: 2, size: 5000, perPrompt: 5},
  {requests: 300, calls: 1, size: 10_000, perPrompt: 30},
  {requests: 300, calls: 3, size: 3000, perPrompt: 3},
];
const PLAIN = {context: {maskToolOutput: false}};
/** Characters of tool output, about 50,000 tokens. */
const NEWEST = 200_000;
const MOST_CHANGES = 1 / 20;

interface Measured {
  readonly sent: number;
  readonly changes: number;
  readonly lost: readonly string[];
}

async function measure(course: Course, settings: Readonly<Record<string, unknown>>): Promise<Measured> {
  await using long = await startLongTalk(course, settings);
  await long.run();
  const {requests, faults} = long.talk.server;
  if (faults.length > 0) throw new Error(`The model's API refused requests: ${faults.join(' ')}`);
  const lost: string[] = [];
  const asked = long.read;
  const newest = Math.ceil(NEWEST / course.size);
  // The newest, and of all others one in twenty.
  for (const [at, file] of asked.entries())
    if (at >= asked.length - newest || at % 20 === 0)
      if ((await findFact(long, file)) === 'nowhere') lost.push(file.name);
  return {sent: requests.reduce((sum, request) => sum + sizeOf(request), 0), changes: changesOf(requests).length, lost};
}

/** What a session sends with masking, of what it sends without; every fact must still be found. */
export const contextBench: Bench = {
  name: 'what long sessions send, with old tool output masked',
  target: {atMost: 0.6, of: 'what they send without'},
  async run() {
    const ratios: number[] = [];
    const details: string[] = [];
    for (const course of COURSES) {
      const masked = await measure(course, {});
      const plain = await measure(course, PLAIN);
      if (masked.lost.length > 0) throw new Error(`No longer to be found: ${masked.lost.join(', ')}.`);
      if (masked.changes > course.requests * MOST_CHANGES)
        throw new Error(`The prefix changed ${masked.changes} times in ${course.requests} requests.`);
      ratios.push(masked.sent / plain.sent);
      details.push(`${(masked.sent / plain.sent).toFixed(2)} with ${masked.changes} changes of the prefix`);
    }
    return {ratio: Math.max(...ratios), detail: details.join('; ')};
  },
};
