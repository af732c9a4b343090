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
  #metadata: Loose = {};
  readonly #messages = new Map<string, Loose>();
  #unreadable = 0;
  /** Lines just before that are no JSON; one that the next line says again from its start was tried again, and nothing is missing. */
  #torn: readonly string[] = [];
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
      else this.#torn = [...this.#torn, line];
      return;
    }
    this.#count(line);
    this.take(objectOf(value) ?? {});
  }

  #count(next: string): void {
    this.#unreadable += this.#torn.filter((line) => !next.startsWith(line.replace(/\ufffd$/, ''))).length;
    this.#torn = [];
  }

  take(record: Loose): void {
    const {$rewindTo: to, $set: set, id} = record;
    if (typeof to === 'string') this.#rewind(to);
    else if (typeof id === 'string') this.#put(id, record);
    else if (objectOf(set)) this.#set(objectOf(set) ?? {});
    else if (typeof record['sessionId'] === 'string') this.#set(record);
  }

  #put(id: string, record: Loose): void {
    this.#messages.set(id, record);
    this.#isOpen = true;
  }

  /** A message that is not there takes nothing away: what could be kept is kept. */
  #rewind(to: string): void {
    if (!this.#messages.has(to)) return;
    let found = false;
    for (const id of [...this.#messages.keys()]) {
      found ||= id === to;
      if (found) this.#messages.delete(id);
    }
  }

  #set({messages, kernel, ...rest}: Loose): void {
    this.#metadata = {...this.#metadata, ...rest};
    if (objectOf(kernel)) this.#marks = true;
    if (objectOf(kernel)?.['settled'] === true) this.#isOpen = false;
    if (!Array.isArray(messages)) return;
    this.#messages.clear();
    for (const one of messages) {
      const message = objectOf(one);
      const id = textOf(message?.['id']);
      if (message && id !== undefined) this.#put(id, message);
    }
  }

  result(): SessionContent | undefined {
    if (typeof this.#metadata['sessionId'] !== 'string') return undefined;
    this.#count('');
    return {metadata: this.#metadata, messages: [...this.#messages.values()], unreadable: this.#unreadable, isCut: this.#isCut, isUnfinished: this.#marks && this.#isOpen};
  }
}
