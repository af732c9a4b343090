import assert from 'node:assert/strict';
import type {ModelSuiteOptions, ModelTopic} from './model-suite.js';
import type {TestedEvent, TestedFailure, TestedMessage, TestedRequest} from './model-under-test.js';
import type {ScriptedAnswer, ScriptedPiece, SeenRequest} from './scripted-answer.js';

/** One promise, and what a provider must support for it. */
export interface TopicalCase {
  readonly title: string;
  readonly topic?: ModelTopic;
  run(options: ModelSuiteOptions): Promise<void>;
}

const PATIENCE_MS = 5000;

/** A question that consists only of its words. */
export function question(options: ModelSuiteOptions, more: Partial<TestedRequest> = {}): TestedRequest {
  return {model: options.model, system: '', messages: [says('user', 'Hello.')], tools: [], config: {}, ...more};
}

/** A message with one text. */
export function says(role: TestedMessage['role'], text: string): TestedMessage {
  return {role, pieces: [{kind: 'text', text}]};
}

/** Scripts the server with these pieces, and gives the provider's events. */
export async function hear(
  options: ModelSuiteOptions,
  pieces: readonly ScriptedPiece[],
  more: Omit<ScriptedAnswer, 'pieces'> = {},
): Promise<readonly TestedEvent[]> {
  return converse(options, [{pieces, ...more}], question(options));
}

/** Asks the provider with this script, and gives all events, after the checks that always apply. */
export async function converse(
  options: ModelSuiteOptions,
  script: readonly ScriptedAnswer[],
  request: TestedRequest,
): Promise<readonly TestedEvent[]> {
  options.script(script);
  const model = await options.open();
  const events: TestedEvent[] = [];
  for await (const event of model.stream(request, AbortSignal.timeout(4 * PATIENCE_MS))) events.push(event);
  checkEnd(events);
  return events;
}

/** Compares as JSON, because test runners have objects of other realms. */
export function same(found: unknown, wanted: unknown, message?: string): void {
  assert.deepEqual(plain(found), plain(wanted), message);
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function checkEnd(events: readonly TestedEvent[]): void {
  const ends = events.flatMap(({kind}, index) => (kind === 'end' || kind === 'failed' ? [index] : []));
  same(
    ends,
    [events.length - 1],
    `A stream ends with exactly one end or failed; this one was: ${JSON.stringify(events).slice(0, 2000)}`,
  );
}

/** The content, with pieces of the same kind joined; counts and ends are left out. */
export function joined(events: readonly TestedEvent[]): readonly object[] {
  const said: {kind: string; text?: string}[] = [];
  for (const event of events) {
    const last = said.at(-1);
    if (event.kind === 'text' || event.kind === 'thought') {
      if (last?.kind === event.kind) last.text = `${last.text ?? ''}${event.text}`;
      else said.push({kind: event.kind, text: event.text});
    } else if (event.kind === 'call') {
      const {id, signature: _, ...call} = event;
      assert.ok(id !== '', 'Every call has an id.');
      said.push(call);
    }
  }
  return said;
}

/** The failure that a stream ended with. */
export function failureIn(events: readonly TestedEvent[]): TestedFailure {
  const last = events.at(-1);
  assert.equal(last?.kind, 'failed', `The stream fails; its last event was ${JSON.stringify(last)}.`);
  const {failure} = last;
  assert.match(failure.message, /^\S.*\S$/s, 'A failure says in words what happened.');
  return failure;
}

/** The end of a stream, without the server's own words. */
export function endOf(events: readonly TestedEvent[]): string {
  const last = events.at(-1);
  return last?.kind === 'end' ? last.reason : JSON.stringify(last);
}

/** The newest request, which the server must have found valid. */
export function lastRequest(options: ModelSuiteOptions): SeenRequest {
  const request = options.requests().at(-1);
  assert.ok(request, 'The server was asked.');
  assert.equal(request.fault, undefined, `The server was asked properly: ${request.fault ?? ''}`);
  return request;
}

/** Waits for a state of the server that no event of the provider reports. */
export async function until(
  {patienceMs = PATIENCE_MS}: ModelSuiteOptions,
  what: string,
  isSo: () => boolean,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!isSo()) {
    assert.ok(Date.now() < deadline, `${what}, within ${patienceMs} ms.`);
    await new Promise((again) => setTimeout(again, 5));
  }
}

/** Waits for a promise with a time limit. */
export async function soon<T>(
  {patienceMs = PATIENCE_MS}: ModelSuiteOptions,
  what: string,
  promise: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({message: `${what}, within ${patienceMs} ms.`})),
      patienceMs,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
