import type {Confirmation, FormReply, SentForm, SentNotice} from '@gemini-kernel/kernel';
import type {PersonUi, Seat} from '../contract.js';
import type {Conversation} from './conversation.js';
import type {Asked} from './question.js';

/** An interface with one conversation at a time: it stays when the conversation moves to another session. */
export class PersonAtSeat implements PersonUi {
  #conversation: Conversation | undefined;

  constructor(private readonly open: (seat: Seat) => Promise<Conversation>) {}

  async converse(seat: Seat): Promise<void> {
    const conversation = await this.open(seat);
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
