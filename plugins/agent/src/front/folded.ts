import {safeText, type Graphemes, type Look} from '@gemini-kernel/terminal';
import type {CallRecord} from '../contract.js';
import {describeResult, isShortened} from './describe.js';

interface FoldedParts {
  readonly look: Look;
  readonly graphemes: Graphemes;
}

/** So many outputs are kept. */
const MOST = 20;

/** Outputs of tools that were shown shortened, the newest last. */
export class Folded {
  #calls: readonly CallRecord[] = [];

  constructor(private readonly parts: FoldedParts) {}

  /** Keeps a result, if its output was shortened. */
  add(call: CallRecord): void {
    if (isShortened(call)) this.#calls = [...this.#calls, call].slice(-MOST);
  }

  /** The whole of the newest output that was not unfolded yet. */
  take(): string | undefined {
    const call = this.#calls.at(-1);
    this.#calls = this.#calls.slice(0, -1);
    if (!call) return undefined;
    const {look, graphemes} = this.parts;
    const [title = ''] = describeResult(call, look.paint, graphemes).split('\n');
    return `${title}\n${safeText(call.display ?? '').trimEnd()}\n`;
  }
}
