import {wrapPieces} from '@gemini-kernel/plugin-agent/front';
import {fitWidth, revealedLine, type Graphemes, type Key, type KeyBindings, type Paint} from '@gemini-kernel/terminal';

export interface Option<V> {
  readonly value: V;
  readonly label: string;
  /** A letter that chooses it. */
  readonly key?: string;
  /** Shown while it is marked. */
  readonly details?: readonly string[];
}

interface ListParts {
  readonly keys: KeyBindings;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
}

interface ListSettings {
  /** The entry that is marked at first. */
  readonly marked?: number;
  /** The entries that are ticked at first; several can then be, and Space ticks the marked one. */
  readonly ticked?: readonly number[];
}

/** Lists with more entries are filtered by what is typed; in others, digits and letters choose. */
const MOST_NUMBERED = 9;
const INDENT = '     ';
const STEPS: Readonly<Record<string, number>> = {
  up: -1,
  down: 1,
  'page-up': -10,
  'page-down': 10,
  first: -Infinity,
  last: Infinity,
};

/** A list with one marked entry: arrows move, and Enter chooses. */
export class ChoiceList<V> {
  #marked: number;
  #filter = '';
  readonly #ticked: Set<number> | undefined;
  readonly #isFiltered: boolean;
  /** Indexes of the options that the filter leaves. */
  #shown: readonly number[];

  constructor(
    private readonly options: readonly Option<V>[],
    private readonly parts: ListParts,
    {marked = 0, ticked}: ListSettings = {},
  ) {
    this.#marked = Math.max(0, marked);
    this.#ticked = ticked && new Set(ticked);
    this.#isFiltered = options.length > MOST_NUMBERED;
    this.#shown = options.map((_, index) => index);
  }

  /** Whether it rarely fits the screen. */
  get isLong(): boolean {
    return this.#isFiltered;
  }

  /** The ticked entries, where several can be chosen. */
  get ticked(): readonly V[] {
    return this.options.filter((_, index) => this.#ticked?.has(index)).map(({value}) => value);
  }

  /** The chosen entry, if the key chooses one. */
  press(key: Key): Option<V> | undefined {
    if (key.kind !== 'key') return this.#type(key.text);
    if (key.name === 'backspace') this.#narrow(this.parts.graphemes.split(this.#filter).slice(0, -1).join(''));
    return this.#act(this.parts.keys.actOf('list', key.name));
  }

  /** At most `most` rows around the marked one, and the place of that one in them. */
  rows(columns: number, most = Infinity): {readonly rows: readonly string[]; readonly marked: number} {
    const {paint} = this.parts;
    const all: string[] = [];
    let marked = 0;
    this.#shown.forEach((index, at) => {
      const isMarked = at === this.#marked;
      if (isMarked) marked = all.length;
      const line = this.#fit(
        `${isMarked ? '❯' : ' '} ${this.#mark(index)}${revealedLine(this.options[index]?.label ?? '')}`,
        columns,
      );
      all.push(isMarked ? paint('code', line) : line);
      const details = isMarked ? (this.options[index]?.details ?? []) : [];
      all.push(...details.flatMap((text) => this.#wrap(text, columns)));
    });
    const above = this.#above(columns);
    const below =
      all.length > most - above.length ? [paint('dim', `  (${this.#marked + 1}/${this.#shown.length})`)] : [];
    const room = Math.max(1, most - above.length - below.length);
    const first = Math.max(0, Math.min(marked - Math.floor(room / 2), all.length - room));
    return {rows: [...above, ...all.slice(first, first + room), ...below], marked: above.length + marked - first};
  }

  /** What filters the list. */
  #above(columns: number): readonly string[] {
    if (!this.#isFiltered) return [];
    const text = this.#filter === '' ? 'Type to search.' : `Search: ${revealedLine(this.#filter)}`;
    const none = this.#shown.length === 0 ? ' (no match)' : '';
    return [this.parts.paint('dim', this.#fit(`  ${text}${none}`, columns))];
  }

  /** What belongs to the marked entry, whole: it can be the rule that an answer saves. */
  #wrap(text: string, columns: number): readonly string[] {
    const {graphemes, paint} = this.parts;
    const room = Math.max(10, columns - 1 - INDENT.length);
    const rows = wrapPieces([{text: revealedLine(text)}], {columns: room, graphemes, byWords: true});
    return rows.map((row) => paint('dim', `${INDENT}${row.map((piece) => piece.text).join('')}`));
  }

  #fit(text: string, columns: number): string {
    return fitWidth(text, columns - 1, this.parts.graphemes);
  }

  #mark(index: number): string {
    if (this.#ticked) return this.#ticked.has(index) ? '[x] ' : '[ ] ';
    return this.#isFiltered ? '' : `${index + 1}. `;
  }

  #type(text: string): Option<V> | undefined {
    const index = this.#shown[this.#marked];
    if (this.#ticked && text === ' ' && index !== undefined) return this.#tick(index);
    if (this.#isFiltered) {
      this.#narrow(this.#filter + text.replace(/\s+/g, ' '));
      return undefined;
    }
    const typed = text.toLowerCase();
    const at = /^[1-9]$/.test(typed) ? Number(typed) - 1 : this.options.findIndex((one) => one.key === typed);
    if (!this.options[at]) return this.#act(this.parts.keys.actOf('list', typed));
    return this.#ticked ? this.#tick(at) : this.options[at];
  }

  #act(act: string | undefined): Option<V> | undefined {
    if (act === 'confirm') return this.options[this.#shown[this.#marked] ?? -1];
    this.#move(STEPS[act ?? '']);
    return undefined;
  }

  #tick(index: number): undefined {
    if (!this.#ticked?.delete(index)) this.#ticked?.add(index);
  }

  #narrow(filter: string): void {
    if (filter === this.#filter) return;
    this.#filter = filter;
    const words = filter.toLowerCase().split(/\s+/);
    this.#shown = this.options.flatMap(({label, details = []}, index) => {
      const text = [label, ...details].join('\n').toLowerCase();
      return words.every((word) => text.includes(word)) ? [index] : [];
    });
    this.#marked = 0;
  }

  /** One step beyond an end is at the other end; longer ones stop there. */
  #move(by = 0): void {
    const last = this.#shown.length - 1;
    const to = this.#marked + by;
    if (to < 0) this.#marked = by === -1 && this.#marked === 0 ? Math.max(0, last) : 0;
    else if (to > last) this.#marked = by === 1 ? 0 : Math.max(0, last);
    else this.#marked = to;
  }
}
