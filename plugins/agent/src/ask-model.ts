import {isKernelError, messageOf} from '@gemini-kernel/kernel';
import {Answer} from './answer.js';
import {wait} from './clock.js';
import type {AgentWatch, EndedRequest, ModelEvent, ModelFailure, ModelRequest, OutgoingRequest} from './contract.js';
import {nameOf, type FoundModel, type ModelRoute} from './model-route.js';
import {readStream} from './read-stream.js';
import {attemptsFor, retryDelay} from './retry-delay.js';

export interface AskLimits {
  readonly maxAttempts: number;
  /** The delay before the second attempt. */
  readonly initialMs: number;
  readonly silenceMs: number;
}

export interface AskParts {
  readonly route: ModelRoute;
  readonly limits: AskLimits;
  /** Lets listeners change a request, or answer it. */
  prepare(request: OutgoingRequest): Promise<OutgoingRequest>;
  /** Lets listeners change one piece of an answer. */
  filter(model: string, event: ModelEvent): Promise<ModelEvent>;
  /** Hears how each request ended. */
  end(ended: Omit<EndedRequest, 'isBeside'>): Promise<void>;
}

/**
 * The result of a request. `whole`: the answer is complete; `broken`: it broke off after something was shown;
 * `invalid`: no usable answer after several attempts; `loop`: the loop detector stopped it; `aborted`: the caller
 * cancelled, with the answer so far.
 */
export type Asked = {readonly model: string; readonly answer: Answer} & (
  | {readonly status: 'whole' | 'broken' | 'invalid' | 'loop' | 'aborted'}
  | {readonly status: 'failed'; readonly failure: ModelFailure}
);

/** For a model with fallbacks. */
const ATTEMPTS_WITH_FALLBACK = 3;
export const INVALID_ATTEMPTS = 4;
const INVALID_MS = 1000;
/** After this long, the person is shown which model gemini is waiting for. */
const SILENCE_MS = 4000;
const NEVER_ANSWERED: ModelFailure = {
  kind: 'network',
  message: 'The answer ended before the model reported its end.',
};

interface Question {
  /** The request, for one model. */
  build(candidate: FoundModel): Promise<ModelRequest>;
  /** Receives the text as it arrives; true stops the answer. */
  isLoop(text: string): boolean;
}

/**
 * Asks until there is an answer: retries where that helps, then tries the next model. Throws only the signal's reason.
 */
export async function askModel(parts: AskParts, question: Question, watch: AgentWatch): Promise<Asked> {
  const candidates = await parts.route.candidates();
  for (const [index, candidate] of candidates.entries()) {
    const next = candidates[index + 1];
    const asked = await askOne(parts, {candidate, isLast: next === undefined, question}, watch);
    if (asked.status !== 'failed' || !next || !canAnother(asked.failure)) return asked;
    if (asked.failure.isFinal) parts.route.giveUp(candidate);
    watch.onEvent({kind: 'fallback', from: nameOf(candidate), to: nameOf(next), failure: asked.failure});
  }
  throw new Error('There is no model to ask.');
}

/** Whether another model of the chain may succeed where this one failed. */
function canAnother({kind, status}: ModelFailure): boolean {
  return kind === 'quota' || kind === 'overloaded' || (kind === 'invalid' && status === 404);
}

interface One {
  readonly candidate: FoundModel;
  readonly isLast: boolean;
  readonly question: Question;
}

async function askOne(parts: AskParts, {candidate, isLast, question}: One, watch: AgentWatch): Promise<Asked> {
  const {limits} = parts;
  const maxAttempts = isLast ? limits.maxAttempts : Math.min(limits.maxAttempts, ATTEMPTS_WITH_FALLBACK);
  let failures = 0;
  let useless = 0;
  for (;;) {
    const request = await question.build(candidate);
    const asked = await askOnce(parts, {candidate, request, question, attempt: failures + useless + 1}, watch);
    if (asked.status === 'failed') {
      failures += 1;
      const delayMs = retryDelay({
        failure: asked.failure,
        attempt: failures,
        maxAttempts,
        initialMs: limits.initialMs,
        random: Math.random(),
      });
      if (delayMs === undefined) return asked;
      watch.onEvent({
        kind: 'waiting',
        failure: asked.failure,
        attempt: failures + 1,
        of: attemptsFor(asked.failure, maxAttempts),
        delayMs,
      });
      await wait(delayMs, watch.signal);
    } else if (asked.status === 'invalid') {
      useless += 1;
      if (useless >= INVALID_ATTEMPTS) return asked;
      const delayMs = Math.min(INVALID_MS, limits.initialMs) * 2 ** (useless - 1);
      const failure: ModelFailure = {kind: 'invalid', message: describeUseless(asked.answer)};
      watch.onEvent({kind: 'waiting', failure, attempt: useless + 1, of: INVALID_ATTEMPTS, delayMs});
      await wait(delayMs, watch.signal);
    } else return asked;
  }
}

function describeUseless({end, pieces}: Answer): string {
  if (end?.reason === 'malformed') return `The model made a malformed call${end.detail ? `: ${end.detail}` : '.'}`;
  return pieces.length > 0 ? 'The model sent thoughts, but no answer.' : 'The model sent an empty answer.';
}

interface Try extends Pick<One, 'candidate' | 'question'> {
  readonly request: ModelRequest;
  readonly attempt: number;
}

/** One request and its answer. */
async function askOnce(
  parts: AskParts,
  {candidate, request, question, attempt}: Try,
  watch: AgentWatch,
): Promise<Asked> {
  const [began, started] = [Date.now(), performance.now()];
  const outgoing = await parts.prepare({model: nameOf(candidate), request});
  const target = outgoing.model === nameOf(candidate) ? candidate : await parts.route.find(outgoing.model);
  const model = nameOf(target);
  watch.onEvent({kind: 'model', model});
  const answer = new Answer();
  const open = (signal: AbortSignal): AsyncIterable<ModelEvent> =>
    outgoing.answer ? replay(outgoing.answer) : target.model.stream(outgoing.request, signal);
  const isLoop = await readAnswer(answer, {parts, model, question, open}, watch);
  const {usage} = answer;
  if (usage) watch.onEvent({kind: 'usage', model, usage});
  const judged = watch.signal.aborted ? ({status: 'aborted'} as const) : isLoop ? LOOP : judge(answer);
  await parts.end({model, attempt, began, ...timesOf(started, answer), ...describeEnd(answer, judged)});
  return {model, answer, ...judged};
}

const LOOP = {status: 'loop'} as const;
const ENDS = {
  whole: 'answered',
  broken: 'cut',
  invalid: 'useless',
  loop: 'cut',
  aborted: 'aborted',
  failed: 'failed',
} as const;

function describeEnd(
  {usage, end}: Answer,
  judged: {readonly status: Asked['status']; readonly failure?: ModelFailure},
): Pick<EndedRequest, 'status' | 'reason' | 'usage' | 'failure'> {
  return {
    status: ENDS[judged.status],
    ...(end ? {reason: end.reason} : {}),
    ...(usage ? {usage} : {}),
    ...(judged.failure ? {failure: judged.failure} : {}),
  };
}

function timesOf(started: number, {firstAt}: Answer): Pick<EndedRequest, 'ms' | 'firstMs'> {
  return {
    ms: performance.now() - started,
    ...(firstAt === undefined ? {} : {firstMs: firstAt - started}),
  };
}

interface Reading {
  readonly parts: AskParts;
  readonly model: string;
  readonly question: Question;
  open(signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/**
 * Adds the stream of a model to an answer, until it ends, fails, loops or is stopped. Returns whether it looped. A
 * provider that crashes counts as a failure; errors that a plugin throws on purpose are passed on.
 */
async function readAnswer(
  answer: Answer,
  {parts, model, question, open}: Reading,
  watch: AgentWatch,
): Promise<boolean> {
  const {silenceMs} = parts.limits;
  const silence = setTimeout(() => watch.onEvent({kind: 'silence', model, seconds: SILENCE_MS / 1000}), SILENCE_MS);
  try {
    for await (const raw of readStream(open, {signal: watch.signal, silenceMs})) {
      clearTimeout(silence);
      const event = await parts.filter(model, raw);
      answer.add(event);
      if (event.kind === 'text' || event.kind === 'thought') watch.onEvent({kind: event.kind, text: event.text});
      if (event.kind === 'text' && question.isLoop(event.text)) return true;
      if (event.kind === 'failed') return false;
    }
  } catch (error) {
    // An error that a plugin throws on purpose ends the prompt; any other is a bug of the provider.
    if (isKernelError(error) && !watch.signal.aborted) throw error;
    if (!watch.signal.aborted)
      answer.add({
        kind: 'failed',
        failure: {kind: 'invalid', message: `The provider of ${model} crashed: ${messageOf(error)}`, isFinal: true},
      });
  } finally {
    clearTimeout(silence);
  }
  return false;
}

async function* replay(events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

function judge(
  answer: Answer,
): {readonly status: 'whole' | 'broken' | 'invalid'} | {readonly status: 'failed'; readonly failure: ModelFailure} {
  const {failure, end} = answer;
  if (failure) return answer.text.trim() !== '' ? {status: 'broken'} : {status: 'failed', failure};
  if (!end) return answer.text.trim() !== '' ? {status: 'broken'} : {status: 'failed', failure: NEVER_ANSWERED};
  if (end.reason === 'malformed') return {status: 'invalid'};
  return answer.hasContent ? {status: 'whole'} : {status: 'invalid'};
}
