import {
  provide,
  type Confirmation,
  type FormReply,
  type SentForm,
  type SentNotice,
  type ServiceContext,
} from '@gemini-kernel/kernel';
import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import type {ConsoleUi} from '../contract.js';
import type {Conversation} from '../conversation.js';
import type {Asked} from '../question.js';

/** A line-by-line conversation, one at a time in a place: it stays when the conversation moves to another session. */
export default provide('ui:console', {
  version: '1.0.0',
  scope: 'place',
  // It holds the terminal.
  local: true,
  create: (context) => new LineConsole(context),
});

class LineConsole implements ConsoleUi {
  #conversation: Conversation | undefined;

  constructor(private readonly context: ServiceContext) {}

  async converse(seat: Seat): Promise<void> {
    // The parts of a conversation are loaded when it starts.
    const {openConversation} = await import('../open-conversation.js');
    const conversation = await openConversation(seat, this.context);
    this.#conversation = conversation;
    try {
      await conversation.run();
    } finally {
      this.#conversation = undefined;
    }
  }

  async confirm(asked: Asked, signal: AbortSignal): Promise<Confirmation | undefined> {
    return this.#conversation?.confirm(asked, signal);
  }

  async fill(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined> {
    return this.#conversation?.fill(form, signal);
  }

  async show(notice: SentNotice): Promise<boolean> {
    this.#conversation?.speaker.notify(notice);
    return this.#conversation !== undefined;
  }
}
