import {objectOf, textOf, type Loose} from './records.js';

/** What a session file says, before its messages are understood. */
export interface SessionContent {
  readonly metadata: Loose;
  readonly messages: readonly Loose[];
  /** Lines within that are no JSON. */
  readonly unreadable: number;
  /** The last line is not whole. */
  readonly isCut: boolean;
  /** Messages came after the last turn that was said to be finished; never of a file that does not say such things. */
  readonly isUnfinished: boolean;
}

/** Reads a session file of any release, either program's: lines, or one object. Undefined when it is no session. */
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

/** Releases before the lines wrote one object, over many lines. */
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
  /** In order, each with its place by id: going back cuts the end off, and costs no more than what it removes. */
  readonly #messages: (readonly [id: string, message: Loose])[] = [];
  readonly #places = new Map<string, number>();
  #unreadable = 0;
  /**
   * Lines just before that are no JSON; one that the next line says again from its start was tried again, and nothing
   * is missing.
   */
  readonly #torn: string[] = [];
  #isCut = false;
  #marks = false;
  #isOpen = false;

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
    if (typeof to === 'string') this.#rewind(to);
    else if (typeof id === 'string') this.#put(id, record);
    else if (objectOf(set)) this.#set(objectOf(set) ?? {});
    else if (typeof record['sessionId'] === 'string') this.#set(record);
  }

  #put(id: string, message: Loose): void {
    const place = this.#places.get(id) ?? this.#messages.length;
    this.#places.set(id, place);
    this.#messages[place] = [id, message];
    this.#isOpen = true;
  }

  /** A message that is not there takes nothing away: what could be kept is kept. */
  #rewind(to: string): void {
    const place = this.#places.get(to);
    if (place === undefined) return;
    for (const [id] of this.#messages.splice(place)) this.#places.delete(id);
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
    return {
      metadata: Object.fromEntries(this.#metadata),
      messages: this.#messages.map(([, message]) => message),
      unreadable: this.#unreadable,
      isCut: this.#isCut,
      isUnfinished: this.#marks && this.#isOpen,
    };
  }
}
