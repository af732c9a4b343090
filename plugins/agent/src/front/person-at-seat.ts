import type {Confirmation, FormReply, SentForm, SentNotice} from '@gemini-kernel/kernel';
import type {PersonUi, Seat} from '../contract.js';
import {collectEarly} from './collect-early.js';
import type {Conversation} from './conversation.js';
import type {Asked} from './question.js';

/** An interface with one conversation at a time: it stays when the conversation moves to another session. */
export class PersonAtSeat implements PersonUi {
  #conversation: Conversation | undefined;
  /** The conversation that is being prepared, or undefined if that fails. */
  #opening: Promise<Conversation | undefined> | undefined;
  /** A notice of a place comes once for each of its sessions: that of the command, and that of the conversation. */
  readonly #shown = new Set<string>();

  constructor(private readonly open: (seat: Seat) => Promise<Conversation>) {}

  async converse(seat: Seat): Promise<void> {
    collectEarly();
    const opening = this.open(seat);
    this.#opening = opening.catch(() => undefined);
    try {
      const conversation = await opening;
      this.#conversation = conversation;
      await conversation.run();
    } finally {
      this.#opening = undefined;
      this.#conversation = undefined;
      this.#shown.clear();
    }
  }

  async confirm(asked: Asked, signal: AbortSignal): Promise<Confirmation | undefined> {
    return this.#conversation?.confirm(asked, signal);
  }

  async fill(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined> {
    return this.#conversation?.fill(form, signal);
  }

  async show(notice: SentNotice): Promise<boolean> {
    // A notice that arrives during the preparation must not be written over the first screen.
    const conversation = this.#conversation ?? (await this.#opening);
    if (!conversation) return false;
    const {source, once} = notice;
    const key = JSON.stringify([source, once]);
    if (once === undefined || !this.#shown.has(key)) conversation.speaker.notify(notice);
    this.#shown.add(key);
    return true;
  }
}
