import type {View, ViewDescription, ViewItem} from '../../views.js';

interface StateParts {
  readonly view: View;
  readonly description: ViewDescription;
  readonly signal: AbortSignal;
}

/** The items of a view as they are searched and sorted, and the one that is marked. */
export class ListState {
  items: readonly ViewItem[] = [];
  marked = 0;
  text = '';
  isReversed = false;
  isLoading = true;
  #all: readonly ViewItem[] = [];
  #sort = 0;
  #running: AbortController | undefined;

  constructor(private readonly parts: StateParts) {}

  get item(): ViewItem | undefined {
    return this.items[this.marked];
  }

  /** The name of the order, if there are several. */
  get sort(): string | undefined {
    const {sorts} = this.parts.description;
    return sorts.length > 1 ? sorts[this.#sort] : undefined;
  }

  /** Asks the view again. The marked item stays marked, if it is still there. Rejects with the error of the view. */
  async load(): Promise<void> {
    this.#running?.abort(new Error('The view is asked again.'));
    const running = new AbortController();
    this.#running = running;
    this.isLoading = true;
    const {view, description, signal} = this.parts;
    const sort = description.sorts[this.#sort];
    try {
      const found = await view.list(
        {
          text: description.search === 'contents' ? this.text : '',
          isReversed: this.isReversed,
          ...(sort === undefined ? {} : {sort}),
        },
        AbortSignal.any([running.signal, signal]),
      );
      if (running.signal.aborted) return;
      const isFirst = this.#all.length === 0;
      this.#all = found;
      this.#choose(isFirst && description.start === 'last' ? found.at(-1)?.id : this.item?.id);
    } catch (error) {
      if (!running.signal.aborted) throw error;
    } finally {
      if (this.#running === running) this.isLoading = false;
    }
  }

  /** Searches; returns whether the view must be asked again. */
  search(text: string): boolean {
    this.text = text;
    if (this.parts.description.search === 'contents') return true;
    this.#choose(this.item?.id);
    return false;
  }

  nextSort(): void {
    this.#sort = (this.#sort + 1) % Math.max(1, this.parts.description.sorts.length);
  }

  /** One step beyond an end is at the other end; longer ones stop there. */
  move(by: number): void {
    const last = this.items.length - 1;
    const to = this.marked + by;
    if (to < 0) this.marked = by === -1 && this.marked === 0 ? Math.max(0, last) : 0;
    else if (to > last) this.marked = by === 1 && this.marked === last ? 0 : Math.max(0, last);
    else this.marked = to;
  }

  #choose(id: string | undefined): void {
    const words = this.text.toLowerCase().split(/\s+/);
    this.items =
      this.parts.description.search === 'contents'
        ? this.#all
        : this.#all.filter(({label, details = ''}) => {
            const text = `${label}\n${details}`.toLowerCase();
            return words.every((word) => text.includes(word));
          });
    const at = this.items.findIndex((one) => one.id === id);
    this.marked = at >= 0 ? at : Math.max(0, Math.min(this.marked, this.items.length - 1));
  }
}
