import type {Confirmation, FormReply, SentForm, SentNotice} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';
import type {ClientPerson, LiveClient} from '../contract.js';
import {readReply, readConfirmation, toFormRequest, toQuestionRequest} from './elicitation.js';
import type {Ask} from './reach.js';

/** How the person is reached while a request of the client is under way. */
export interface Line {
  readonly ask: Ask;
  /** What tools and prompts may use of the client. */
  readonly client?: LiveClient;
  tell(notice: SentNotice): void;
}

/** The person behind a client, asked through the request that is under way. */
export class LivePerson implements ClientPerson {
  readonly #lines = new Map<string, Line>();

  /** `listsChanged` hears of sources that list something else. */
  constructor(readonly listsChanged: (source: string) => void = () => undefined) {}

  /** Until `act` ends, questions about the call of this id go through `line`. */
  async during<T>(call: string, line: Line, act: () => Promise<T>): Promise<T> {
    this.#lines.set(call, line);
    try {
      return await act();
    } finally {
      this.#lines.delete(call);
    }
  }

  async confirm(question: Question, signal: AbortSignal): Promise<Confirmation> {
    const ask = this.#lineFor(question.call.id)?.ask;
    const answer = await ask?.(toQuestionRequest(question), signal);
    if (answer) return readConfirmation(question, answer);
    return {
      decision: 'no',
      reason: `${question.reason} The MCP client cannot ask for it, because it does not support elicitation.`,
    };
  }

  async fill(form: SentForm, signal: AbortSignal): Promise<FormReply> {
    const request = toFormRequest(form);
    const answer = request && (await this.#lineFor('')?.ask?.(request, signal));
    return answer ? readReply(answer) : {outcome: 'closed'};
  }

  async show(notice: SentNotice): Promise<boolean> {
    const line = this.#lineFor('');
    line?.tell(notice);
    return line !== undefined;
  }

  clientOf(request: string): LiveClient | undefined {
    return this.#lines.get(request)?.client;
  }

  /** That of the call, else that of the newest call: a call of another tool belongs to it. */
  #lineFor(call: string): Line | undefined {
    return this.#lines.get(call) ?? [...this.#lines.values()].at(-1);
  }
}
