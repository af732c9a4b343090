import type {EventStore} from '#sdk';

const MOST_EVENTS = 1000;
const MOST_CHARACTERS = 32 * 1024 * 1024;

type Message = Parameters<EventStore['storeEvent']>[1];

interface Kept {
  readonly stream: string;
  readonly message: Message;
  readonly size: number;
}

/**
 * What was sent to one client, so that a stream that broke off continues where it ended. The oldest events go first
 * when there are too many; a stream whose last event has gone cannot continue. A client that takes up a stream gets it
 * also while an earlier connection seems to be open: that one may be dead.
 */
export class KeptEvents implements EventStore {
  readonly #events = new Map<string, Kept>();
  #size = 0;
  #last = 0;

  async storeEvent(stream: string, message: Message): Promise<string> {
    const size = JSON.stringify(message).length;
    const id = String((this.#last += 1));
    this.#events.set(id, {stream, message, size});
    this.#size += size;
    // The newest one is kept, however large it is.
    for (const [oldest, kept] of this.#events) {
      if ((this.#events.size <= MOST_EVENTS && this.#size <= MOST_CHARACTERS) || oldest === id) break;
      this.#events.delete(oldest);
      this.#size -= kept.size;
    }
    return id;
  }

  has(id: string): boolean {
    return this.#events.has(id);
  }

  async replayEventsAfter(
    id: string,
    {send}: {send: (id: string, message: Message) => Promise<void>},
  ): Promise<string> {
    const stream = this.#events.get(id)?.stream ?? '';
    const later = [...this.#events].filter(([other, kept]) => kept.stream === stream && Number(other) > Number(id));
    // An event that opens a stream has no message.
    for (const [other, {message}] of later) if ('jsonrpc' in message) await send(other, message);
    return stream;
  }
}
