import {KernelError, type Confirmation, type FormReply, type SentForm} from '@gemini-kernel/kernel';
import type {Question, Session} from '@gemini-kernel/kernel/host';
import type {RunResult, StreamEvent} from '@gemini-kernel/plugin-agent/contract';
import {createEventReport, runHeadless} from '@gemini-kernel/plugin-agent/headless';
import type {Caller} from '../contract.js';
import type {Grant} from '../tokens/tokens.js';
import {openPlace} from './open-place.js';
import type {Beginnings} from './beginnings.js';
import type {Setup} from './setup.js';
import {describeForm, describeQuestion, isYes, readForm} from './questions.js';

/** What a task asks. */
export interface Asked {
  readonly text: string;
  readonly data: object;
  /** Whether this call may run. */
  readonly call?: Question;
}

/** What a task tells its caller. */
export interface TaskListener {
  event(event: StreamEvent): void;
  /** The task waits for an answer in its next message. */
  question(asked: Asked): void;
  /** A call that it asked about may run. */
  allowed(call: string): void;
  ended(end: RunResult): void;
}

interface Parts {
  readonly setup: Setup;
  readonly beginnings: Beginnings;
  readonly grant: Grant;
  readonly text: string;
  /** A recorded session to continue. */
  readonly resume: string | undefined;
  readonly listener: TaskListener;
  onSession(session: string): void;
}

/**
 * Whether another agent may answer: only what the model itself wants to know. Other forms let a person grant something,
 * such as an approval mode for a plan, a host, or trust; a token says what is granted. A secret would pass through the
 * other agent and its model.
 */
function isForCaller({about, isOurs, fields}: SentForm): boolean {
  return isOurs && about.kind === 'ask_user' && fields.every(({kind}) => kind !== 'secret');
}

const LONGEST_WAIT_MS = 30 * 60_000;

/** One task that runs. */
export class TaskRun implements Caller {
  readonly #stop = new AbortController();
  #asked: string | undefined;
  #answer: ((text: string) => void) | undefined;
  #paused = (): void => undefined;

  constructor(private readonly parts: Parts) {}

  /** The call that the question is about. */
  get asked(): string | undefined {
    return this.#asked;
  }

  get isAsking(): boolean {
    return this.#answer !== undefined;
  }

  /** Runs the task. Never throws: what keeps it from beginning is its end. */
  async run(): Promise<void> {
    const {listener, setup} = this.parts;
    try {
      listener.ended(await this.#work());
    } catch (error) {
      const {code = 'BUG', message, hint} = error as Partial<KernelError> & Error;
      if (code === 'BUG') setup.log(`A task failed: ${(error as Error).stack ?? message}`);
      const shown = code === 'BUG' ? 'The task failed because of a fault of gemini.' : message;
      const failure = {type: 'KernelError', code, message: shown, ...(hint ? {hint} : {}), exit: 1};
      listener.ended({session_id: '', status: 'error', outcome: 'failed', error: failure});
    }
    this.#paused();
  }

  /** Resolves when the task ends, or waits for an answer. */
  pause(): Promise<void> {
    return new Promise((resolve) => (this.#paused = resolve));
  }

  /** Answers the question that the task asks. */
  answer(text: string): void {
    this.#answer?.(text);
  }

  cancel(sentence: string): void {
    this.#stop.abort(new KernelError('RUN_INTERRUPTED', sentence));
  }

  async confirm(question: Question, signal: AbortSignal): Promise<Confirmation> {
    const data = {kind: 'call', tool: question.call.tool};
    const text = await this.#ask({text: describeQuestion(question), data, call: question}, signal);
    if (!isYes(text)) return {decision: 'no', reason: 'The calling agent answered no.'};
    this.parts.listener.allowed(question.call.id);
    return {decision: 'yes'};
  }

  async fill(form: SentForm, signal: AbortSignal): Promise<FormReply> {
    if (!isForCaller(form)) return {outcome: 'closed'};
    const data = {kind: 'form', fields: form.fields};
    return readForm(form, await this.#ask({text: describeForm(form), data}, signal));
  }

  async #ask(asked: Asked, signal: AbortSignal): Promise<string> {
    const late = AbortSignal.timeout(LONGEST_WAIT_MS);
    const given = await new Promise<string>((resolve) => {
      this.#answer = resolve;
      this.#asked = asked.call?.call.id;
      for (const one of [signal, late]) one.addEventListener('abort', () => resolve(''), {once: true});
      this.parts.listener.question(asked);
      this.#paused();
    });
    this.#answer = undefined;
    this.#asked = undefined;
    return given;
  }

  async #work(): Promise<RunResult> {
    const {setup, grant, beginnings} = this.parts;
    const begun = await beginnings.take();
    const holder = openPlace(setup, grant);
    try {
      return await this.#workIn(holder, begun);
    } finally {
      begun();
      await holder.close();
    }
  }

  async #workIn(holder: Session, begun: () => void): Promise<RunResult> {
    const {grant, resume, onSession} = this.parts;
    const conversations = await holder.service('conversations');
    const {id, session: kept} = await conversations.open({
      interactive: true,
      caller: grant.name,
      ...(resume === undefined ? {} : {resume}),
    });
    onSession(kept);
    const session = await conversations.session(id);
    const detach = await (await holder.service('a2a-clients')).attach(session.info.id, this);
    try {
      return await this.#answerIn(session, begun);
    } finally {
      detach();
      await conversations.close(id);
    }
  }

  async #answerIn(session: Session, begun: () => void): Promise<RunResult> {
    const {setup, grant, text, listener} = this.parts;
    let result: RunResult | undefined;
    const report = createEventReport((event) => (event.type === 'result' ? (result = event) : listener.event(event)), {
      raw: false,
    });
    await runHeadless({
      ...{agent: await session.service('agent'), notices: await session.service('run-notices')},
      ...{sessionId: session.info.id, directory: grant.directory, warnings: [], failOnRefused: false},
      ...{prompt: {text}, signal: this.#stop.signal},
      exitCodeOf: (code: string) => setup.kernel.catalog.exitCodeOf(code),
      // With the first event, the model is asked.
      report: {...report, event: (event) => (begun(), report.event(event))},
    });
    if (!result) throw new TypeError('A run ended without a result.');
    return result;
  }
}
