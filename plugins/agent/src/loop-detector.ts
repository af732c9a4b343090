/** Five full repetitions of up to five calls in a row are a loop. */
const PERIODS = [1, 2, 3, 4, 5];
const REPETITIONS = 5;
/** Ten times the same fifty characters, close together, are a loop. */
const CHUNK = 50;
const TIMES = 10;
const MEAN_DISTANCE = CHUNK * 5;
const WINDOW = 5000;

/** Notices when a model goes round in circles. One per prompt. */
export interface LoopDetector {
  /** The next call; says whether calls repeat. */
  seeCall(name: string, input: unknown): boolean;
  /** The next piece of text; says whether the text repeats itself. */
  seeText(text: string): boolean;
  /** Forgets the text: the next message may begin like the last. */
  endMessage(): void;
  /** Forgets everything: the model was told, and starts afresh. */
  reset(): void;
}

/** Makes a detector. */
export function createLoopDetector(): LoopDetector {
  const calls: string[] = [];
  let text = new TextWindow();
  return {
    seeCall(name, input) {
      calls.push(`${name} ${JSON.stringify(input)}`);
      if (calls.length > REPETITIONS * 5) calls.shift();
      return PERIODS.some((period) => repeats(calls, period));
    },
    seeText: (piece) => text.add(piece),
    endMessage: () => void (text = new TextWindow()),
    reset() {
      calls.length = 0;
      text = new TextWindow();
    },
  };
}

function repeats(calls: readonly string[], period: number): boolean {
  const span = period * REPETITIONS;
  if (calls.length < span) return false;
  const last = calls.slice(-span);
  return last.every((call, index) => call === last[index % period]);
}

/** Looks at prose only: code, tables, lists, headings and quotes repeat by their nature. */
class TextWindow {
  #line = '';
  #prose = '';
  #offset = 0;
  #isCode = false;
  readonly #places = new Map<string, number[]>();

  add(piece: string): boolean {
    const lines = piece.split('\n');
    let found = false;
    for (const [index, line] of lines.entries()) {
      this.#line += line;
      if (!this.#isCode && !isStructure(this.#line)) found = this.#addProse(line) || found;
      if (index < lines.length - 1) this.#endLine();
    }
    return found;
  }

  #endLine(): void {
    if (/^\s*(```|~~~)/.test(this.#line)) {
      this.#isCode = !this.#isCode;
      this.#forget();
    } else if (isStructure(this.#line)) this.#forget();
    this.#line = '';
  }

  #forget(): void {
    this.#prose = '';
    this.#offset = 0;
    this.#places.clear();
  }

  #addProse(text: string): boolean {
    this.#prose += text;
    let found = false;
    while (this.#prose.length - this.#offset >= CHUNK) {
      const chunk = this.#prose.slice(this.#offset, this.#offset + CHUNK);
      const places = this.#places.get(chunk) ?? [];
      places.push(this.#offset);
      this.#places.set(chunk, places);
      const recent = places.slice(-TIMES);
      const distance = ((recent.at(-1) ?? 0) - (recent[0] ?? 0)) / (TIMES - 1);
      found ||= recent.length === TIMES && distance <= MEAN_DISTANCE;
      this.#offset += 1;
    }
    if (this.#prose.length > 2 * WINDOW) this.#trim();
    return found;
  }

  #trim(): void {
    const cut = this.#prose.length - WINDOW;
    this.#prose = this.#prose.slice(cut);
    this.#offset -= cut;
    for (const [chunk, places] of this.#places) {
      const kept = places.map((place) => place - cut).filter((place) => place >= 0);
      if (kept.length > 0) this.#places.set(chunk, kept);
      else this.#places.delete(chunk);
    }
  }
}

function isStructure(line: string): boolean {
  return /^\s*(```|~~~|\||[-*+]\s|\d+[.)]\s|#{1,6}\s|>|[-+|:=\s]{3,}$)/.test(line);
}
