import {isKernelError, type ToolInfo} from '@gemini-kernel/kernel';
import {readSettings, type AgentSettings} from './agent-settings.js';
import type {AgentParts} from './agent-parts.js';
import type {Answer} from './answer.js';
import {askModel, INVALID_ATTEMPTS, type Asked} from './ask-model.js';
import {askPartsOf} from './ask-parts.js';
import {wait} from './clock.js';
import {compressNow} from './compress-now.js';
import type {AgentWatch, CallRecord, Entry, ModelFailure, ModelRequest, Piece, Prompted, TurnEnd} from './contract.js';
import {estimateMessages, estimateRequest} from './estimate-tokens.js';
import {toMessages} from './entry-text.js';
import {describeFailure} from './failure.js';
import type {Schema} from './fitting-answer.js';
import {createLoopDetector} from './loop-detector.js';
import {submitPrompt} from './request-context.js';
import {plainName, type FoundModel} from './model-route.js';
import {runCalls} from './run-calls.js';
import {findLimit, settleLimits} from './run-limits.js';
import {endOfAbort, LOOPED, refusalOf, settle, type Ended} from './run-stop.js';
import {composeSystem} from './system-instruction.js';
import type {Judgement} from './verdict.js';

const BROKEN_ATTEMPTS = 4;
const BROKEN_MS = 1000;
/** Counts are estimates: a request that is this full may already be too long. */
const FULL = 0.98;

const GO_ON = 'Your answer broke off there. Go on exactly where it stopped, without repeating anything.';
const LOOPING =
  'You are repeating yourself. Stop, think about what you have not tried, and do that; or say what keeps you from ' +
  'going on.';

/** A prompt; with a form, the model has no tools and can only answer. */
type Asking = Omit<Prompted, 'answer'> & {readonly form?: Schema};

/** One prompt, until the model stops. */
class PromptRun {
  readonly #loops = createLoopDetector();
  readonly #warnings: string[] = [];
  readonly #refused: TurnEnd['refused'][number][] = [];
  readonly #changed = new Set<string>();
  readonly #calls: string[] = [];
  #text = '';
  #wasLooping = false;
  #broken = 0;
  /** Whether the next message goes on where the last one broke off. */
  #isContinued = false;
  constructor(
    private readonly parts: AgentParts,
    private readonly settings: AgentSettings,
    private readonly watch: AgentWatch,
    private readonly asking: Asking,
  ) {}

  /** Deals with the prompt; what was said until now is settled in any case. */
  async run(): Promise<TurnEnd> {
    const {text} = this.asking;
    const {history} = this.parts;
    try {
      const {signal} = this.watch;
      const onEvent: AgentWatch['onEvent'] = (event) => this.watch.onEvent(event);
      const submitted = await submitPrompt(this.parts, {text, signal, withTree: this.settings.withTree, onEvent});
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

  async #end(ended: Ended): Promise<TurnEnd> {
    const calls = this.#calls;
    const found = calls.length === 0 ? [] : await this.parts.context.dispatch('changes:collect', {calls});
    for (const file of found as readonly string[]) this.#changed.add(file);
    const warnings = [...this.#warnings, ...(ended.warnings ?? [])];
    return {text: this.#text, refused: this.#refused, changed: [...this.#changed], ...ended, warnings};
  }

  async #goRound(prompt: string): Promise<Ended> {
    const limits = settleLimits(this.asking.limits ?? {}, this.settings);
    for (let rounds = 1; ; rounds += 1) {
      this.watch.signal.throwIfAborted();
      const limit = await findLimit(this.parts, limits, this.settings);
      if (limit) return limit;
      const tools = await this.parts.context.tools.offered();
      const tooLong = await this.#makeRoom(tools);
      if (tooLong) return tooLong;
      this.parts.state.turns += 1;
      const isLoop = (text: string): boolean => this.settings.detectLoops && this.#loops.seeText(text);
      const asked = await askModel(
        askPartsOf(this.parts, this.settings.ask),
        {isLoop, build: (candidate) => this.#build(candidate, tools)},
        this.watch,
      );
      this.#loops.endMessage();
      const ended = await this.#take(asked, tools);
      if (ended === 'again') continue;
      if (ended.status !== 'done') return ended;
      const verdict = (await this.parts.context.dispatch('turn:end', {prompt, text: this.#text, rounds})) as Judgement;
      if (verdict.decision !== 'deny') return ended;
      await this.#tell(verdict.reason);
    }
  }

  /** Compresses when the history comes near the model's limit; gives an end when even that does not help. */
  async #makeRoom(tools: readonly ToolInfo[]): Promise<Ended | undefined> {
    const {route, state} = this.parts;
    const found = await route.find(route.chosen);
    const {abilities} = found;
    if (abilities.inputLimit === 0) return undefined;
    const threshold = this.settings.compressionThreshold;
    // What was counted by a model includes what stands around the history.
    const size = async (): Promise<number> =>
      this.#countTokens() + (state.counted ? 0 : estimateRequest({...(await this.#build(found, tools)), messages: []}));
    let tokens = await size();
    if (threshold > 0 && !state.isIncompressible && tokens >= threshold * abilities.inputLimit) {
      await compressNow(this.parts, {askParts: askPartsOf(this.parts, this.settings.ask), isAsked: false}, this.watch);
      tokens = await size();
    }
    if (tokens <= FULL * abilities.inputLimit) return undefined;
    return {
      status: 'failed',
      error: {
        code: 'CONTEXT_TOO_LONG',
        message:
          `The conversation has about ${tokens} tokens, and ${abilities.model} takes ${abilities.inputLimit}. It ` +
          'was not sent.',
        hint: 'Try /compress, go back with /rewind, or start a new conversation with less in the prompt.',
      },
    };
  }

  /** How long the history is: what was counted last, and an estimate of what came after. */
  #countTokens(): number {
    const {history, state} = this.parts;
    const {tokens, entries} = state.counted ?? {tokens: 0, entries: 0};
    return tokens + estimateMessages(toMessages(history.entries.slice(entries)));
  }

  async #build({abilities, own}: FoundModel, tools: readonly ToolInfo[]): Promise<ModelRequest> {
    const {
      context: {environment, session},
      history,
      state,
      variable,
      isTrusted,
    } = this.parts;
    const declared = abilities.calls && !this.asking.form ? tools : [];
    const names = new Set(declared.map(({name}) => name));
    const system = await composeSystem(
      {environment, variable, isTrusted, mode: session.mode, interactive: session.interactive, tools: names},
      state.systemSections ?? [],
    );
    const {form} = this.asking;
    const config = {...(form ? {answer: form} : {}), ...(Object.keys(own).length > 0 ? {own} : {})};
    return {
      model: abilities.model,
      system,
      messages: history.messages,
      config,
      tools: declared.map(({name, description, input}) => ({name, description, input})),
    };
  }

  /** What an answer leads to: another round, or the end. */
  async #take(asked: Asked, tools: readonly ToolInfo[]): Promise<Ended | 'again'> {
    const {answer, model} = asked;
    if (asked.status === 'failed') return {status: 'failed', error: describeFailure(asked.failure)};
    if (asked.status === 'invalid') {
      const message = `${model} gave no answer that can be used, ${INVALID_ATTEMPTS} times in a row.`;
      return {
        status: 'invalid',
        error: {code: 'ANSWER_INVALID', message, hint: 'Say it in other words, or choose another model.'},
      };
    }
    if (asked.status === 'whole') return this.#takeWhole(answer, model, tools);
    // What was shown is kept; calls of an answer that is not whole are not made.
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
    if (answer.end?.reason === 'length') this.#warn('The model reached the limit of its output; its answer is cut.');
    if (answer.calls.length === 0) return {status: 'done'};
    const isLoop =
      this.settings.detectLoops && answer.calls.map(({name, input}) => this.#loops.seeCall(name, input)).includes(true);
    if (isLoop) return this.#refuseLoop(entry, answer);
    const {context, statistics, seenCalls: seen} = this.parts;
    const calls = await runCalls(
      {tools: context.tools, offered: new Map(tools.map((tool) => [tool.name, tool])), statistics, seen},
      answer.calls,
      this.watch,
    );
    this.#note(calls);
    await this.#putResults(entry, calls);
    return this.watch.signal.aborted ? {status: 'aborted'} : 'again';
  }

  /** Keeps what the end of the prompt lists of its calls. */
  #note(calls: readonly CallRecord[]): void {
    for (const {status, name: tool, id, callId = id, input, error, changed = []} of calls) {
      this.#calls.push(callId);
      for (const path of changed) this.#changed.add(path);
      if (status === 'refused') this.#refused.push({tool, id: callId, input, reason: error?.message ?? ''});
    }
  }

  async #putAnswer(pieces: readonly Piece[], model: string, {usage, text}: Answer): Promise<Entry> {
    const {history, state} = this.parts;
    this.#text = this.#isContinued ? this.#text + text : text;
    const entry = await history.put(
      history.make({kind: 'model', pieces, model: plainName(model), ...(usage ? {usage} : {})}),
    );
    if (usage) state.counted = {tokens: usage.input + usage.output, entries: history.entries.length};
    return entry;
  }

  /** The calls of an answer with what became of them, and then the results as the model gets them. */
  async #putResults(entry: Entry, calls: readonly CallRecord[]): Promise<void> {
    const {history} = this.parts;
    await history.put({...entry, calls});
    const pieces = calls.map(({id, name, output, status}): Piece => ({
      kind: 'result',
      id,
      name,
      output,
      failed: status !== 'done',
    }));
    await history.put(history.make({kind: 'user', origin: 'tools', pieces}));
  }

  async #refuseLoop(entry: Entry, {calls}: Answer): Promise<Ended | 'again'> {
    const output = [{text: `Not run: the same calls have been made again and again. ${LOOPING}`}];
    const time = new Date().toISOString();
    await this.#putResults(
      entry,
      calls.map(({id, name, input}): CallRecord => ({
        id,
        name,
        input,
        status: 'failed',
        output,
        error: {code: 'CALL_LOOP', message: 'The same calls were made again and again.'},
        ms: 0,
        time,
      })),
    );
    return this.#breakLoop(false);
  }

  /** The first time the model is told; the second time it is stopped. */
  async #breakLoop(isToBeTold = true): Promise<Ended | 'again'> {
    if (this.#wasLooping) return {status: 'loop', error: LOOPED};
    this.#wasLooping = true;
    this.#loops.reset();
    this.watch.onEvent({
      kind: 'note',
      severity: 'warning',
      text: 'The model seems to go round in circles; it was told.',
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
    this.#warnings.push(text);
    this.watch.onEvent({kind: 'note', severity: 'warning', text});
  }
}

/** Deals with one prompt. */
export async function runPrompt(parts: AgentParts, asking: Asking, watch: AgentWatch): Promise<TurnEnd> {
  return new PromptRun(parts, await readSettings(parts.settings), watch, asking).run();
}
