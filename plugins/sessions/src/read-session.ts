import {objectOf, textOf, type Loose} from './records.js';

/** A session file's content, before its messages are parsed. */
export interface SessionContent {
  readonly metadata: Loose;
  readonly messages: readonly Loose[];
  /** Number of lines in it that are not JSON. */
  readonly unreadable: number;
  /** The last line is truncated. */
  readonly isCut: boolean;
  /** Messages follow the last finished turn; always false for a file without such marks. */
  readonly isUnfinished: boolean;
}

/** Reads a session file of any release of either program: lines, or one object. Undefined when it is not a session. */
export function readSession(bytes: Buffer): SessionContent | undefined {
  const reading = new Reading();
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start);
    reading.add(bytes.toString('utf8', start, end < 0 ? bytes.length : end), end < 0);
    if (end < 0) break;
    start = end + 1;
  }
  return reading.result() ?? readObject(bytes);
}

/** Older releases wrote one object over many lines. */
function readObject(bytes: Buffer): SessionContent | undefined {
  const [open] = bytes;
  if (open !== 0x7b) return undefined;
  try {
    const reading = new Reading();
    reading.take(objectOf(JSON.parse(bytes.toString('utf8'))) ?? {});
    return reading.result();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

class Reading {
  readonly #metadata = new Map<string, unknown>();
  /** In order, each with its index by id: going back truncates the end and costs only what it removes. */
  readonly #messages: (readonly [id: string, message: Loose])[] = [];
  readonly #places = new Map<string, number>();
  #unreadable = 0;
  /**
   * Lines just before that are not JSON; if the next line repeats such a line from its start, it was retried and
   * nothing is missing.
   */
  readonly #torn: string[] = [];
  #isCut = false;
  #marks = false;
  #isOpen = false;
  /** The scratchpad is about the messages before it, as soon as one follows. */
  #hasScratchpad = false;
  #isPast = false;

  add(line: string, isLast: boolean): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (isLast) this.#isCut = true;
      else this.#torn.push(line);
      return;
    }
    this.#count(line);
    this.take(objectOf(value) ?? {});
  }

  #count(next: string): void {
    this.#unreadable += this.#torn.filter((line) => !next.startsWith(line.replace(/\ufffd$/, ''))).length;
    this.#torn.length = 0;
  }

  take(record: Loose): void {
    const {$rewindTo: to, $set: set, id} = record;
    const isMessage = typeof to === 'string' || typeof id === 'string';
    if (isMessage && this.#hasScratchpad) this.#isPast = true;
    if (typeof to === 'string') this.#rewind(to);
    else if (typeof id === 'string') this.#put(id, record);
    else if (objectOf(set)) this.#change(objectOf(set) ?? {});
    else if (typeof record['sessionId'] === 'string') this.#set(record);
  }

  #put(id: string, message: Loose): void {
    const place = this.#places.get(id) ?? this.#messages.length;
    this.#places.set(id, place);
    this.#messages[place] = [id, message];
    this.#isOpen = true;
  }

  /** An unknown message id removes nothing: keep what can be kept. */
  #rewind(to: string): void {
    const place = this.#places.get(to);
    if (place === undefined) return;
    for (const [id] of this.#messages.splice(place)) this.#places.delete(id);
  }

  #change(set: Loose): void {
    if ('memoryScratchpad' in set) {
      this.#hasScratchpad = Boolean(set['memoryScratchpad']);
      this.#isPast = false;
    }
    this.#set(set);
  }

  #set({messages, kernel, ...rest}: Loose): void {
    for (const [key, value] of Object.entries(rest)) this.#metadata.set(key, value);
    if (objectOf(kernel)) this.#marks = true;
    if (objectOf(kernel)?.['settled'] === true) this.#isOpen = false;
    if (!Array.isArray(messages)) return;
    this.#messages.length = 0;
    this.#places.clear();
    for (const one of messages) {
      const message = objectOf(one);
      const id = textOf(message?.['id']);
      if (message && id !== undefined) this.#put(id, message);
    }
  }

  result(): SessionContent | undefined {
    if (typeof this.#metadata.get('sessionId') !== 'string') return undefined;
    this.#count('');
    if (this.#isPast) this.#metadata.delete('memoryScratchpad');
    return {
      metadata: Object.fromEntries(this.#metadata),
      messages: this.#messages.map(([, message]) => message),
      unreadable: this.#unreadable,
      isCut: this.#isCut,
      isUnfinished: this.#marks && this.#isOpen,
    };
  }
}
