import {safeText, type Graphemes, type Look} from '@gemini-kernel/terminal';
import type {CallRecord, View, ViewDescription, ViewItem, ViewOutcome, ViewQuery, ViewText} from '../contract.js';
import {describeCall, describeResult, describeTime, isShortened} from './describe.js';

interface OutputParts {
  readonly look: Look;
  readonly graphemes: Graphemes;
}

/** So many calls are kept, and so many characters of what they printed. */
const MOST = 100;
const MOST_TEXT = 20_000_000;

/** What tools have printed in this conversation, the newest last: to unfold it, and to look through it. */
export class Outputs implements View {
  #calls: readonly CallRecord[] = [];
  /** Those that were shown shortened, and not unfolded yet. */
  #folded: readonly CallRecord[] = [];

  constructor(private readonly parts: OutputParts) {}

  add(call: CallRecord): void {
    this.#calls = bounded([...this.#calls, call]);
    if (isShortened(call)) this.#folded = [...this.#folded, call].filter((one) => this.#calls.includes(one));
  }

  /** The whole of the newest output that was not unfolded yet. */
  take(): string | undefined {
    const call = this.#folded.at(-1);
    this.#folded = this.#folded.slice(0, -1);
    if (!call) return undefined;
    const {look, graphemes} = this.parts;
    const [title = ''] = describeResult(call, look.paint, graphemes).split('\n');
    return `${title}\n${safeText(call.display ?? '').trimEnd()}\n`;
  }

  async describe(): Promise<ViewDescription> {
    return {
      title: 'Calls of this conversation and what they printed',
      empty: 'No tool has run in this conversation.',
      search: 'contents',
      sorts: [],
      start: 'last',
      actions: [],
    };
  }

  async list({text, isReversed}: ViewQuery): Promise<readonly ViewItem[]> {
    const needle = text.toLowerCase();
    const items = this.#calls.flatMap((call): readonly ViewItem[] => {
      const label = describeCall(call.name, call.input, this.parts.graphemes);
      const printed = textOf(call);
      const isNamed = label.toLowerCase().includes(needle);
      const line = isNamed ? undefined : printed.split('\n').find((one) => one.toLowerCase().includes(needle));
      if (!isNamed && line === undefined) return [];
      const count = printed === '' ? 0 : printed.trimEnd().split('\n').length;
      const lines = count === 1 ? '1 line' : `${count} lines`;
      const details = `${call.status === 'done' ? '' : `${call.status}, `}${lines}, ${describeTime(call.ms)}`;
      return [{id: call.id, label, details, ...(line === undefined ? {} : {found: line})}];
    });
    return isReversed ? items.reverse() : items;
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const call = this.#calls.find((one) => one.id === id);
    if (!call) return [];
    const input = JSON.stringify(call.input, null, 2) ?? '';
    return [
      {kind: 'text', title: call.name, text: input},
      {kind: 'text', title: 'Output', text: textOf(call) || 'None.'},
    ];
  }

  async act(): Promise<ViewOutcome> {
    return {kind: 'stay'};
  }
}

/** What a call printed, or why it did not run. */
function textOf({display, error}: CallRecord): string {
  return display ?? error?.message ?? '';
}

/** The newest calls that fit. */
function bounded(calls: readonly CallRecord[]): readonly CallRecord[] {
  let room = MOST_TEXT;
  const kept = calls.slice(-MOST).reverse();
  const most = kept.findIndex((call) => (room -= textOf(call).length) < 0);
  return (most < 0 ? kept : kept.slice(0, Math.max(1, most))).reverse();
}
