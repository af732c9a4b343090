import {SpanIds, type TracePlace} from './ids.js';
import type {Content} from './content.js';
import type {Outbox} from './outbox.js';
import type {Attributes, SpanRecord} from './records.js';
import type {SessionTrace} from './session-trace.js';

export interface RecordingParts {
  readonly out: Outbox;
  /** For prompts, inputs, results and messages of errors. */
  readonly content: Content;
  /** For the messages in spans. */
  readonly messages: Content;
  /** For the text of requests in their events. */
  readonly requests: Content;
  /** The place in a trace that the program was started with. */
  readonly parent: TracePlace | undefined;
  /** What of the settings every session tells. */
  readonly config: Attributes;
  now(): number;
}

export type Span = Omit<SpanRecord, 'traceId' | 'spanId' | 'parentId'> & {readonly spanId?: string};

/** Makes the records of one session. */
export class Recording {
  /** The span of the last request, which gets the answer that the history has next. */
  #held: SpanRecord | undefined;
  readonly #ids = new SpanIds();

  constructor(
    readonly parts: RecordingParts,
    readonly trace: SessionTrace,
  ) {}

  /** What every span has. */
  common(operation: string): Attributes {
    return {
      ...this.trace.attributes,
      'gen_ai.operation.name': operation,
      'gen_ai.agent.name': this.trace.session.subagent ?? 'gemini-cli',
      'gen_ai.conversation.id': this.trace.session.id,
    };
  }

  log(name: string, body: string, attributes: Attributes): void {
    this.parts.out.log({
      time: this.parts.now(),
      name,
      body,
      attributes: {'event.name': name, ...this.trace.attributes, ...attributes},
      ...(this.trace.prompt?.place ?? {}),
    });
  }

  /** A span below the prompt that runs. What belongs to no prompt has no trace. */
  span(span: Span): void {
    const made = this.#make(span);
    if (made) this.parts.out.span(made);
  }

  /** A span that waits for the answer. */
  hold(span: Span): void {
    this.release();
    this.#held = this.#make(span);
  }

  release(answer?: string): void {
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    const attributes = {...held.attributes, 'gen_ai.output.messages': answer};
    this.parts.out.span({...held, attributes});
  }

  #make(span: Span): SpanRecord | undefined {
    const place = this.trace.prompt?.place;
    if (!place) return undefined;
    const {traceId, spanId: parentId} = place;
    const attributes = {...this.common(span.name), ...span.attributes};
    return {...span, spanId: span.spanId ?? this.#ids.next(), traceId, parentId, attributes};
  }
}
