import type {Cut} from './actions.js';
import type {Range} from './text-objects.js';

const KEPT = new Set(['d', 'c', 'y']);

/** What was cut and copied, by the names of registers. */
export class Registers {
  readonly #cuts = new Map<string, Cut>();

  /** The text of a register, or the last one that was cut or copied. */
  get(name = '"'): Cut | undefined {
    return this.#cuts.get(name.toLowerCase());
  }

  /** Keeps what an operator takes. A capital letter appends to its register, and `_` keeps nothing. */
  keep(cells: readonly string[], {from, to, isLine}: Range, operator: string, name?: string): void {
    if (name === '_' || !KEPT.has(operator)) return;
    const cut = {cells: cells.slice(from, to), isLine};
    this.#cuts.set('"', cut);
    if (operator === 'y') this.#cuts.set('0', cut);
    if (name === undefined) return;
    const before = name === name.toLowerCase() ? undefined : this.get(name);
    this.#cuts.set(name.toLowerCase(), before ? append(before, cut) : cut);
  }
}

function append(before: Cut, cut: Cut): Cut {
  const isLine = before.isLine || cut.isLine;
  return {cells: [...before.cells, ...(isLine ? ['\n'] : []), ...cut.cells], isLine};
}
