import {fitWidth, type Graphemes, type Key, type Paint} from '@gemini-kernel/terminal';

export interface Option<V> {
  readonly value: V;
  readonly label: string;
  /** A letter that chooses it. */
  readonly key?: string;
  /** Shown while it is marked. */
  readonly details?: readonly string[];
}

interface ListParts {
  readonly paint: Paint;
  readonly graphemes: Graphemes;
}

/** A numbered list with one marked entry: arrows move, and Enter, a digit or a letter chooses. */
export class ChoiceList<V> {
  #marked = 0;

  constructor(
    private readonly options: readonly Option<V>[],
    private readonly parts: ListParts,
  ) {}

  /** The chosen entry, if the key chooses one. */
  press(key: Key): Option<V> | undefined {
    if (key.kind !== 'key') return this.#find(key.text.toLowerCase());
    if (key.name === 'enter') return this.options[this.#marked];
    const by = key.name === 'up' || key.name === 'ctrl+p' ? -1 : key.name === 'down' || key.name === 'ctrl+n' ? 1 : 0;
    this.#marked = (this.#marked + by + this.options.length) % this.options.length;
    return undefined;
  }

  #find(text: string): Option<V> | undefined {
    return this.options[/^[1-9]$/.test(text) ? Number(text) - 1 : this.options.findIndex((one) => one.key === text)];
  }

  /** The rows, and which of them is marked. */
  rows(columns: number): {readonly rows: readonly string[]; readonly marked: number} {
    const {paint, graphemes} = this.parts;
    const fit = (text: string): string => fitWidth(text, columns - 1, graphemes);
    const rows: string[] = [];
    let marked = 0;
    this.options.forEach(({label, details = []}, index) => {
      const isMarked = index === this.#marked;
      if (isMarked) marked = rows.length;
      const line = fit(`${isMarked ? '❯' : ' '} ${index + 1}. ${label}`);
      rows.push(isMarked ? paint('code', line) : line);
      if (isMarked) rows.push(...details.map((text) => paint('dim', fit(`     ${text}`))));
    });
    return {rows, marked};
  }
}
