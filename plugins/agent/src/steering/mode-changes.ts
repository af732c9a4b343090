import {isKernelError, type Session} from '@gemini-kernel/kernel';
import type {ConversationEvent} from '../contract.js';

/** The modes that `next` cycles through. */
const CYCLE = ['default', 'auto_edit', 'plan'];

interface Parts {
  session(): Session;
  tell(event: ConversationEvent): void;
}

/** Changes the mode of a conversation, one change after the other: two calls of `next` at once advance two modes. */
export class ModeChanges {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  /** Throws the refusal of the mode. */
  set(mode: string): Promise<void> {
    return this.#inTurn(() => this.#set(mode));
  }

  /** Advances to the next mode that is not refused; a note explains a refusal. */
  next(): Promise<void> {
    return this.#inTurn(async () => {
      const at = CYCLE.indexOf(this.parts.session().info.mode);
      for (const mode of [...CYCLE.slice(at + 1), ...CYCLE.slice(0, Math.max(0, at))]) {
        try {
          return await this.#set(mode);
        } catch (error) {
          if (!isKernelError(error)) throw error;
          const {message, hint} = error;
          this.parts.tell({kind: 'note', severity: 'warning', text: hint ? `${message} ${hint}` : message});
        }
      }
    });
  }

  async #set(mode: string): Promise<void> {
    const session = this.parts.session();
    await session.setMode(mode);
    this.parts.tell({kind: 'mode', mode: session.info.mode});
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
