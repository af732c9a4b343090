import type {Attributes} from '../record/records.js';

const MOST = 2048;
/** A record can have long texts in it, so that their number alone bounds no memory. */
const MOST_CHARACTERS = 8_388_608;

/** Records of one kind that wait for their batch. Of too many or too long ones, the oldest are dropped. */
export class Waiting<T extends {readonly attributes: Attributes}> {
  #records: T[] = [];
  #characters = 0;
  dropped = 0;

  get length(): number {
    return this.#records.length;
  }

  push(record: T): void {
    this.#records.push(record);
    this.#characters += charactersOf(record);
    this.#shorten();
  }

  /** All of them, which no longer wait. */
  take(): readonly T[] {
    const all = this.#records;
    [this.#records, this.#characters] = [[], 0];
    return all;
  }

  /** Those that came before the ones that wait. */
  putBack(older: readonly T[]): void {
    this.#records = [...older, ...this.#records];
    this.#characters = this.#records.reduce((sum, record) => sum + charactersOf(record), 0);
    this.#shorten();
  }

  #shorten(): void {
    while (this.#records.length > MOST || this.#characters > MOST_CHARACTERS) {
      const oldest = this.#records.shift();
      if (!oldest) return;
      this.#characters -= charactersOf(oldest);
      this.dropped += 1;
    }
  }
}

function charactersOf({attributes}: {readonly attributes: Attributes}): number {
  let sum = 0;
  for (const key in attributes) {
    const value = attributes[key];
    if (typeof value === 'string') sum += value.length;
    else if (typeof value === 'object') for (const one of value) sum += one.length;
  }
  return sum;
}
