/** Letters of a token, about. */
const LETTERS_PER_TOKEN = 4;

export const DEFAULT_TOKENS = 2000;
export const MOST_TOKENS = 20_000;

/** Lines that fit a number of tokens. */
export class Budget {
  #left: number;

  constructor(tokens: number) {
    this.#left = tokens * LETTERS_PER_TOKEN;
  }

  get left(): number {
    return this.#left;
  }

  /** Whether the line still fits; it counts then. */
  take(line: string): boolean {
    if (line.length + 1 > this.#left) return false;
    this.#left -= line.length + 1;
    return true;
  }
}

/** What the flag --max-tokens of commands takes. */
export const maxTokens = {description: 'How long it may be.', min: 50, max: MOST_TOKENS, default: DEFAULT_TOKENS};
