import {isKernelError, type ToolInfo} from '@gemini-kernel/kernel';
import {prepareSettings, type AgentSettings} from './agent-settings.js';
import type {AgentParts} from './agent-parts.js';
import type {Answer} from './answer.js';
import {askModel, INVALID_ATTEMPTS, type Asked} from './ask-model.js';
import {askPartsOf} from './ask-parts.js';
import {wait} from './clock.js';
import type {AgentWatch, CallRecord, Entry, ModelFailure, ModelRequest, Piece, Prompted, TurnEnd} from './contract.js';
import {toMessages} from './entry-text.js';
import {describeFailure} from './failure.js';
import type {Schema} from './fitting-answer.js';
import {createLoopDetector} from './loop-detector.js';
import {fitLimits, makeRoom} from './make-room.js';
import {submitPrompt} from './request-context.js';
import {levelFor, plainName, type FoundModel} from './model-route.js';
import {requestConfig} from './request-config.js';
import {declare, instructionFor} from './request-frame.js';
import {runCalls} from './run-calls.js';
import {findLimit, settleLimits} from './run-limits.js';
import {endOfAbort, LOOPED, refusalOf, settle, type Ended} from './run-stop.js';
import {TurnRecord} from './turn-record.js';

const BROKEN_ATTEMPTS = 4;
const BROKEN_MS = 1000;

const GO_ON = 'Your answer broke off there. Continue exactly where it stopped, without repeating anything.';
const LOOPING =
  'You are repeating yourself. Stop, think about what you have not tried, and do that; or say what keeps you from ' +
  'continuing.';

/** A prompt; with a schema, the model has no tools and can only answer. */
type Asking = Omit<Prompted, 'answer'> & {readonly form?: Schema};

/** Runs one prompt until the model stops. */
class PromptRun {
  readonly #loops = createLoopDetector();
  readonly #record = new TurnRecord();
  #text = '';
  #wasLooping = false;
  #broken = 0;
  /** Whether the next message continues the one that broke off. */
  #isContinued = false;
  constructor(
    private readonly parts: AgentParts,
    private readonly settings: AgentSettings,
    private readonly watch: AgentWatch,
    private readonly asking: Asking,
  ) {}

  /** Runs the prompt; what is recorded until now is always settled. */
  async run(): Promise<TurnEnd> {
    const {text} = this.asking;
    const {history} = this.parts;
    try {
      const {signal} = this.watch;
      const onEvent: AgentWatch['onEvent'] = (event) => this.watch.onEvent(event);
      const submitted = await submitPrompt(this.parts, {
        ...this.asking,
        ...{signal, onEvent, withTree: this.settings.withTree},
      });
      if ('refused' in submitted) return await this.#end({status: 'refused', error: refusalOf(submitted.refused)});
      await history.put(history.make({kind: 'user', origin: 'person', pieces: submitted.pieces, shown: text}));
      return await this.#end(settle(await this.#goRound(text), signal));
    } catch (error) {
      if (this.watch.signal.aborted) return await this.#end(endOfAbort(this.watch.signal));
      if (!isKernelError(error)) throw error;
      const {code, message, hint} = error;
      return await this.#end({status: 'failed', error: {code, message, ...(hint ? {hint} : {})}});
    } finally {
      await history.settle();
    }
  }

  #end(ended: Ended): Promise<TurnEnd> {
    return this.#record.end({text: this.#text, ended}, this.parts.context);
  }

  async #goRound(prompt: string): Promise<Ended> {
    const isOfAgent = this.parts.context.session.subagent !== undefined;
    const limits = settleLimits(this.asking.limits ?? {}, this.settings, isOfAgent);
    for (let rounds = 1; ; rounds += 1) {
      this.watch.signal.throwIfAborted();
      const limit = await findLimit(this.parts, limits, this.settings);
      if (limit) return limit;
      const tools = await this.parts.context.tools.offered();
      const build = (candidate: FoundModel): Promise<ModelRequest> => this.#build(candidate, tools);
      const tooLong = await makeRoom({parts: this.parts, settings: this.settings, watch: this.watch, build});
      if (tooLong) return tooLong;
      this.parts.state.turns += 1;
      const isLoop = (text: string): boolean => this.settings.detectLoops && this.#loops.seeText(text);
      const asked = await askModel(
        askPartsOf(this.parts, {limits: this.settings.ask, isBeside: false}),
        {isLoop, build},
        this.watch,
      );
      this.#loops.endMessage();
      const ended = await this.#take(asked, tools);
      if (ended === 'again') continue;
      if (ended.status !== 'done') return ended;
      const verdict = await this.parts.context.dispatch('turn:end', {prompt, text: this.#text, rounds});
      if (verdict.decision !== 'deny') return ended;
      await this.#tell(verdict.reason);
    }
  }

  async #build({abilities, own}: FoundModel, tools: readonly ToolInfo[]): Promise<ModelRequest> {
    const {fitting, state, route} = this.parts;
    const declared = abilities.calls && !this.asking.form ? tools : [];
    return {
      model: abilities.model,
      system: await instructionFor(this.parts, declared),
      messages: toMessages((await fitting.fit(fitLimits(this.settings, abilities))).entries),
      config: requestConfig({
        role: state.role,
        thoughtLevel: levelFor(abilities, route.thoughtLevel),
        form: this.asking.form,
        own,
      }),
      tools: declare(declared),
    };
  }

  /** The consequence of an answer: another request, or the end. */
  async #take(asked: Asked, tools: readonly ToolInfo[]): Promise<Ended | 'again'> {
    const {answer, model} = asked;
    if (asked.status === 'failed') return {status: 'failed', error: describeFailure(asked.failure)};
    if (asked.status === 'invalid') {
      const message = `${model} gave no usable answer, ${INVALID_ATTEMPTS} times in a row.`;
      return {
        status: 'invalid',
        error: {code: 'ANSWER_INVALID', message, hint: 'Rephrase the prompt, or choose another model.'},
      };
    }
    if (asked.status === 'whole') return this.#takeWhole(answer, model, tools);
    // What was shown is kept; calls of an incomplete answer do not run.
    const entry = answer.text.trim() === '' ? undefined : await this.#putAnswer(answer.saidPieces, model, answer);
    if (entry && asked.status !== 'broken') this.watch.onEvent({kind: 'message', entry});
    if (asked.status === 'aborted') return {status: 'aborted'};
    if (asked.status === 'loop') return this.#breakLoop();
    return this.#goOn(answer.failure);
  }

  async #takeWhole(answer: Answer, model: string, tools: readonly ToolInfo[]): Promise<Ended | 'again'> {
    const entry = await this.#putAnswer(answer.pieces, model, answer);
    [this.#broken, this.#isContinued] = [0, false];
    this.watch.onEvent({kind: 'message', entry});
    this.#record.isCut = answer.end?.reason === 'length';
    if (this.#record.isCut) this.#warn('The model reached its output limit; the answer is cut.');
    if (answer.calls.length === 0) return {status: 'done'};
    const isLoop =
      this.settings.detectLoops && answer.calls.map(({name, input}) => this.#loops.seeCall(name, input)).includes(true);
    if (isLoop) return this.#refuseLoop(entry, answer);
    const {context, statistics, seenCalls: seen, times, state} = this.parts;
    const offered = new Map(tools.map((tool) => [tool.name, tool]));
    const calls = await runCalls(
      {...{statistics, seen, times, offered, onlyOffered: state.role !== undefined}, tools: context.tools},
      answer.calls,
      this.watch,
    );
    this.#record.add(calls);
    await this.#putResults(entry, calls);
    return this.watch.signal.aborted ? {status: 'aborted'} : 'again';
  }

  async #putAnswer(pieces: readonly Piece[], model: string, {usage, text}: Answer): Promise<Entry> {
    const {history, state, fitting} = this.parts;
    this.#text = this.#isContinued ? this.#text + text : text;
    const entry = await history.put(
      history.make({kind: 'model', pieces, model: plainName(model), ...(usage ? {usage} : {})}),
    );
    if (usage)
      state.counted = {tokens: usage.input + usage.output, entries: history.entries.length, saved: fitting.lastSaved};
    return entry;
  }

  /** The calls of an answer with their outcomes, and then the results for the model. */
  async #putResults(entry: Entry, calls: readonly CallRecord[]): Promise<void> {
    const {history} = this.parts;
    await history.put({...entry, calls});
    const pieces = calls.map(({id, name, output, status}): Piece => {
      return {kind: 'result', id, name, output, failed: status !== 'done'};
    });
    await history.put(history.make({kind: 'user', origin: 'tools', pieces}));
  }

  async #refuseLoop(entry: Entry, {calls}: Answer): Promise<Ended | 'again'> {
    const output = [{text: `Not run: the same calls were repeated. ${LOOPING}`}];
    const time = new Date().toISOString();
    await this.#putResults(
      entry,
      calls.map(({id, name, input}): CallRecord => ({
        id,
        name,
        input,
        status: 'failed',
        output,
        error: {code: 'CALL_LOOP', message: 'The same calls were repeated.'},
        ms: 0,
        time,
      })),
    );
    return this.#breakLoop(false);
  }

  /** Warns the model the first time, and stops it the second time. */
  async #breakLoop(isToBeTold = true): Promise<Ended | 'again'> {
    if (this.#wasLooping) return {status: 'loop', error: LOOPED};
    this.#wasLooping = true;
    this.#loops.reset();
    this.watch.onEvent({
      kind: 'note',
      severity: 'warning',
      text: 'The model seems to repeat itself; it was asked to change course.',
    });
    if (isToBeTold) await this.#tell(LOOPING);
    return 'again';
  }

  async #goOn(failure: ModelFailure | undefined): Promise<Ended | 'again'> {
    const cause: ModelFailure = failure ?? {kind: 'network', message: 'The answer broke off.'};
    this.#broken += 1;
    if (this.#broken >= BROKEN_ATTEMPTS || cause.isFinal) return {status: 'failed', error: describeFailure(cause)};
    const delayMs = Math.min(BROKEN_MS, this.settings.ask.initialMs) * 2 ** (this.#broken - 1);
    this.watch.onEvent({kind: 'waiting', failure: cause, attempt: this.#broken + 1, of: BROKEN_ATTEMPTS, delayMs});
    await wait(delayMs, this.watch.signal);
    await this.#tell(GO_ON);
    this.#isContinued = true;
    return 'again';
  }

  async #tell(text: string): Promise<void> {
    const {history} = this.parts;
    await history.put(history.make({kind: 'user', origin: 'agent', pieces: [{kind: 'text', text}]}));
  }

  #warn(text: string): void {
    this.#record.warn(text);
    this.watch.onEvent({kind: 'note', severity: 'warning', text});
  }
}

/** Deals with one prompt. */
export async function runPrompt(parts: AgentParts, asking: Asking, watch: AgentWatch): Promise<TurnEnd> {
  const started = performance.now();
  const ended = await new PromptRun(parts, await prepareSettings(parts), watch, asking).run();
  const {status, error} = ended;
  const ms = performance.now() - started;
  await parts.context.dispatch('prompt:end', {status, ms, ...(error ? {error: error.code} : {})});
  return ended;
}
