import type {Confirmation, FormReply, SentForm} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';
import type {ElicitRequestFormParams, ElicitResult} from '#sdk';
import type {ClientPerson} from '../contract.js';
import {readReply, readConfirmation, toFormRequest, toQuestionRequest} from './elicitation.js';

/** Asks the person of a client. Undefined where the client cannot. */
export type Ask =
  ((request: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult | undefined>) | undefined;

/** The person behind a client, asked through the request that is under way. */
export class LivePerson implements ClientPerson {
  readonly #asks = new Map<string, Ask>();

  /** Until `act` ends, questions about the call of this id go through `ask`. */
  async during<T>(call: string, ask: Ask, act: () => Promise<T>): Promise<T> {
    this.#asks.set(call, ask);
    try {
      return await act();
    } finally {
      this.#asks.delete(call);
    }
  }

  async confirm(question: Question, signal: AbortSignal): Promise<Confirmation> {
    const ask = this.#askFor(question.call.id);
    const answer = await ask?.(toQuestionRequest(question), signal);
    if (answer) return readConfirmation(question, answer);
    return {
      decision: 'no',
      reason: `${question.reason} The MCP client cannot ask for it, because it does not support elicitation.`,
    };
  }

  async fill(form: SentForm, signal: AbortSignal): Promise<FormReply> {
    const request = toFormRequest(form);
    const answer = request && (await this.#askFor('')?.(request, signal));
    return answer ? readReply(answer) : {outcome: 'closed'};
  }

  /** That of the call, else that of the newest call: a call of another tool belongs to it. */
  #askFor(call: string): Ask {
    return this.#asks.has(call) ? this.#asks.get(call) : [...this.#asks.values()].at(-1);
  }
}
