/** Five full repetitions of up to twenty calls in a row are a loop. */
const LONGEST_PERIOD = 20;
const REPETITIONS = 5;
/** Ten times the same fifty characters, close together, are a loop. */
const CHUNK = 50;
const TIMES = 10;
const MEAN_DISTANCE = CHUNK * 5;
const WINDOW = 5000;
/** The characters that reveal the kind of a line. */
const HEAD = 40;
/**
 * A rolling hash: each step multiplies by the base, and subtracts the oldest character times the base to the fiftieth.
 */
const BASE = 1_000_003;
const LEAVING = -98_507_447;

/** Detects when a model repeats itself. One per prompt. */
export interface LoopDetector {
  /** Adds a call; returns whether calls repeat. */
  seeCall(name: string, input: unknown): boolean;
  /** Adds a piece of text; returns whether the text repeats. */
  seeText(text: string): boolean;
  /** Forgets the text: the next message may start like the last. */
  endMessage(): void;
  /** Forgets everything, after the model was warned. */
  reset(): void;
}

/** Creates a detector. */
export function createLoopDetector(): LoopDetector {
  const calls: string[] = [];
  let text = new TextWindow();
  return {
    seeCall(name, input) {
      calls.push(shorten(`${name} ${JSON.stringify(input)}`));
      if (calls.length > REPETITIONS * LONGEST_PERIOD) calls.shift();
      return findPeriod(calls) !== undefined;
    },
    seeText: (piece) => text.add(piece),
    endMessage: () => void (text = new TextWindow()),
    reset() {
      calls.length = 0;
      text = new TextWindow();
    },
  };
}

const LONG_CALL = 200;

/** A call with a long input is stored as its beginning, its length and a hash. */
function shorten(call: string): string {
  if (call.length <= LONG_CALL) return call;
  let [hash, other] = [0, 1];
  for (let at = 0; at < call.length; at += 1) {
    hash = (Math.imul(hash, BASE) + call.charCodeAt(at)) | 0;
    other = (Math.imul(other, 31) ^ call.charCodeAt(at)) | 0;
  }
  return `${call.slice(0, LONG_CALL)} ${call.length} ${hash} ${other}`;
}

/** How many calls the end of a list repeats, five times in a row. */
function findPeriod(calls: readonly string[]): number | undefined {
  for (let period = 1; period <= LONGEST_PERIOD && period * REPETITIONS <= calls.length; period += 1) {
    const start = calls.length - period * REPETITIONS;
    const isLoop = calls.slice(start + period).every((call, index) => call === calls[start + index]);
    if (isLoop) return period;
  }
  return undefined;
}

/** Looks at prose only: code, tables, lists, headings and quotes often repeat. */
class TextWindow {
  /** The beginning of the current line: enough to recognise its kind. */
  #head = '';
  #prose = '';
  #isCode = false;
  /** Hash of the newest fifty characters. */
  #hash = 0;
  /** Positions of prose by hash, the newest ten each, counted from the first character. */
  readonly #places = new Map<number, number[]>();
  /** The number of characters removed from the front of `prose`. */
  #dropped = 0;

  add(piece: string): boolean {
    const lines = piece.split('\n');
    let found = false;
    for (const [index, line] of lines.entries()) {
      if (this.#head.length < HEAD) this.#head = (this.#head + line).slice(0, HEAD);
      if (!this.#isCode && !isStructure(this.#head)) found = this.#addProse(line) || found;
      if (index < lines.length - 1) this.#endLine();
    }
    return found;
  }

  #endLine(): void {
    const isFence = /^\s*(```|~~~)/.test(this.#head);
    if (isFence) this.#isCode = !this.#isCode;
    if (isFence || isStructure(this.#head)) this.#forget();
    this.#head = '';
  }

  #forget(): void {
    this.#prose = '';
    this.#hash = 0;
    this.#dropped = 0;
    this.#places.clear();
  }

  #addProse(text: string): boolean {
    const from = this.#prose.length;
    this.#prose += text;
    let found = false;
    for (let at = from; at < this.#prose.length; at += 1) {
      const leaving = at >= CHUNK ? this.#prose.charCodeAt(at - CHUNK) : 0;
      this.#hash = (Math.imul(this.#hash, BASE) + this.#prose.charCodeAt(at) - Math.imul(leaving, LEAVING)) | 0;
      if (at + 1 >= CHUNK) found = this.#see(at + 1 - CHUNK) || found;
    }
    if (this.#prose.length > 2 * WINDOW) this.#trim();
    return found;
  }

  /**
   * Records the position of the newest fifty characters by their hash, and returns whether they have occurred too
   * often.
   */
  #see(start: number): boolean {
    const places = this.#places.get(this.#hash);
    if (!places) {
      this.#places.set(this.#hash, [this.#dropped + start]);
      return false;
    }
    places.push(this.#dropped + start);
    if (places.length < TIMES) return false;
    if (places.length > TIMES) places.shift();
    const [first = 0, last = 0] = [places[0], places.at(-1)];
    if ((last - first) / (TIMES - 1) > MEAN_DISTANCE || first < this.#dropped) return false;
    // Different texts can have the same hash.
    const then = first - this.#dropped;
    return this.#prose.slice(then, then + CHUNK) === this.#prose.slice(start, start + CHUNK);
  }

  #trim(): void {
    const cut = this.#prose.length - WINDOW;
    this.#prose = this.#prose.slice(cut);
    this.#dropped += cut;
    for (const [hash, places] of this.#places) if ((places.at(-1) ?? 0) < this.#dropped) this.#places.delete(hash);
  }
}

/** The first characters of a line reveal its kind. */
function isStructure(head: string): boolean {
  return /^\s*(```|~~~|\||[-*+]\s|\d+[.)]\s|#{1,6}\s|>|[-+|:=\s]{3,}$)/.test(head);
}
