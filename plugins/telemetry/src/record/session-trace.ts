import type {SessionInfo} from '@gemini-kernel/kernel';
import {newSpanId, newTraceId, spanIdOf, type TracePlace} from './ids.js';
import type {Attributes} from './records.js';

/** A prompt that runs. */
export interface RunningPrompt {
  readonly place: TracePlace;
  readonly parentId: string | undefined;
  readonly id: string;
  readonly began: number;
  /** Its text, as far as it is included. */
  readonly text: string | undefined;
}

/** Where one session is in its trace. */
export class SessionTrace {
  #count = 0;
  #prompt: RunningPrompt | undefined;
  #attributes: Attributes | undefined;
  /** The input of the model since its last answer, as far as it is included. */
  readonly heard: string[] = [];
  /** Its last answer, and what it got since, in the words of the Gemini API. */
  asked: string[] = [];
  /** What it answered last. */
  said: string | undefined;
  /** The id of the newest entry of the history. */
  last: string | undefined;
  /** Requests of the prompt that runs. */
  turns = 0;
  mode: string;

  constructor(
    readonly session: SessionInfo,
    /** The prompt of the session that opened this one, or of the program that started this one. */
    private readonly above: () => TracePlace | undefined,
  ) {
    this.mode = session.mode;
  }

  get prompt(): RunningPrompt | undefined {
    return this.#prompt;
  }

  begin(prompt: Pick<RunningPrompt, 'began' | 'text'>): void {
    const above = this.above();
    const traceId = above?.traceId ?? newTraceId();
    this.#count += 1;
    this.turns = 0;
    this.#attributes = undefined;
    this.#prompt = {
      place: {traceId, spanId: newSpanId()},
      parentId: above?.spanId,
      id: `${this.session.id}########${this.#count}`,
      ...prompt,
    };
  }

  end(): void {
    this.#prompt = undefined;
    this.#attributes = undefined;
  }

  /** The place of a call: known before the call ends, so that what it starts can refer to it. */
  placeOf(call: string): TracePlace | undefined {
    const traceId = this.#prompt?.place.traceId;
    return traceId === undefined ? undefined : {traceId, spanId: spanIdOf(traceId, call)};
  }

  /** What every record of the session has: the same while a prompt runs. */
  get attributes(): Attributes {
    return (this.#attributes ??= this.#describe());
  }

  #describe(): Attributes {
    const {id, interactive, subagent} = this.session;
    return {
      'session.id': id,
      interactive,
      ...(this.#prompt ? {prompt_id: this.#prompt.id} : {}),
      ...(subagent === undefined ? {} : {agent_name: subagent}),
    };
  }
}
