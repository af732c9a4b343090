import type {ConversationEvent, TokenUsage} from '@gemini-kernel/plugin-agent/contract';
import type {SessionUpdate} from '#sdk';
import type {ShownCalls} from './shown-calls.js';
import type {Teller} from './teller.js';

interface Parts {
  readonly calls: ShownCalls;
  readonly teller: Teller;
  update(update: SessionUpdate): void;
  newId(): string;
  /** The model has finished a message. */
  onMessage(): void;
  /** A call has ended. */
  onResult(): void;
  onMode(): void;
  /** The conversation is in another session now. */
  onSession(session: string): void;
}

/** Turns the events of a conversation into updates. */
export class EventStream {
  #message: string | undefined;
  readonly #usage = new Map<string, TokenUsage>();

  constructor(private readonly parts: Parts) {}

  /** The tokens that each model has used since the last time that this was asked. */
  takeUsage(): ReadonlyMap<string, TokenUsage> {
    const usage = new Map(this.#usage);
    this.#usage.clear();
    return usage;
  }

  show(event: ConversationEvent): void {
    const {calls, teller} = this.parts;
    switch (event.kind) {
      case 'text':
        return this.#chunk('agent_message_chunk', event.text);
      case 'thought':
        return this.#chunk('agent_thought_chunk', event.text);
      case 'message':
        this.#message = undefined;
        return this.parts.onMessage();
      case 'call':
        return calls.announce(event);
      case 'progress':
        return calls.progress(event);
      case 'result':
        calls.end(event.id, event.call);
        return this.parts.onResult();
      case 'usage':
        return this.#count(event.model, event.usage);
      case 'mode':
        return this.parts.onMode();
      case 'session':
        return this.parts.onSession(event.session);
      default:
        return teller.show(event);
    }
  }

  #chunk(sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', text: string): void {
    if (text === '') return;
    this.#message ??= this.parts.newId();
    this.parts.update({sessionUpdate, messageId: this.#message, content: {type: 'text', text}});
  }

  #count(model: string, usage: TokenUsage): void {
    const {input = 0, output = 0} = this.#usage.get(model) ?? {};
    this.#usage.set(model, {...usage, input: input + usage.input, output: output + usage.output});
  }
}
