import type {SlashCommand} from '@gemini-kernel/plugin-agent/contract';
import {
  chooseCompletion,
  findCompletion,
  type Completing,
  type CompletingParts,
  type Completion,
  type FilePlaces,
} from '@gemini-kernel/plugin-agent/front';
import {fitWidth, safeLine, type Graphemes, type Key, type KeyBindings, type Paint} from '@gemini-kernel/terminal';

interface SuggestionParts extends CompletingParts {
  readonly places: FilePlaces;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  readonly paint: Paint;
}

const MOST_ROWS = 8;
const MARKED = '❯ ';

/**
 * What can stand at the cursor, listed while the person types a command or an `@path`. Tab inserts the marked entry;
 * Enter does so where that makes a difference, and otherwise sends the prompt.
 */
export class Suggestions implements Completing {
  #running: AbortController | undefined;
  #found: Completion | undefined;
  #summaries: ReadonlyMap<string, string> = new Map();
  #marked = 0;
  /** Whether the person moved the mark. */
  #hasMoved = false;
  /** The text for which the person closed the list. */
  #closedFor: string | undefined;

  constructor(private readonly parts: SuggestionParts) {}

  /** Whether there is a list. */
  get isOpen(): boolean {
    return this.#found !== undefined;
  }

  press(key: Key): boolean {
    if (!this.#found || key.kind !== 'key') return false;
    switch (this.parts.keys.actOf('suggestions', key.name)) {
      case 'up':
        return this.#move(-1);
      case 'down':
        return this.#move(1);
      case 'take':
        return this.#take();
      case 'confirm':
        return this.#hasMoved && this.#take();
      case 'close':
        return this.#close();
      default:
        return false;
    }
  }

  changed(): void {
    const {text, cursor} = this.parts.input.draft;
    const before = text.slice(0, cursor);
    if (before !== this.#closedFor) this.#closedFor = undefined;
    if (this.#closedFor === undefined && isCompletable(before)) void this.#search(before, false);
    else this.#forget();
  }

  async complete(): Promise<void> {
    const {text, cursor} = this.parts.input.draft;
    this.#closedFor = undefined;
    await this.#search(text.slice(0, cursor), true);
  }

  cancel(): void {
    this.#running?.abort(new Error('Another key was pressed.'));
    this.#running = undefined;
  }

  /** The list, at most `room` rows. */
  rows(columns: number, room: number): readonly string[] {
    const {graphemes, paint} = this.parts;
    const candidates = this.#found?.candidates ?? [];
    const most = Math.min(MOST_ROWS, room - 1);
    if (candidates.length === 0 || most < 1) return [];
    const first = Math.max(0, Math.min(this.#marked - Math.floor(most / 2), candidates.length - most));
    const shown = candidates.slice(first, first + most).map((candidate, index) => {
      const isMarked = first + index === this.#marked;
      const name = safeLine(candidate);
      const summary = this.#summaries.get(candidate);
      const line = `${isMarked ? MARKED : '  '}${name}${summary === undefined ? '' : `  ${safeLine(summary)}`}`;
      return paint(isMarked ? 'code' : 'dim', fitWidth(line, columns - 1, graphemes));
    });
    const place = candidates.length > most ? [paint('dim', `  (${this.#marked + 1}/${candidates.length})`)] : [];
    return [...shown, ...place];
  }

  async #search(before: string, isAsked: boolean): Promise<void> {
    const {commands, places, speaker} = this.parts;
    this.cancel();
    const running = new AbortController();
    this.#running = running;
    const {signal} = running;
    try {
      const [found, known] = await Promise.all([
        findCompletion(before, commands, places, {signal, update: () => undefined}),
        /^\s*\/\S*$/.test(before) ? commands.list() : [],
      ]);
      signal.throwIfAborted();
      if (isAsked && this.#insertCertain(found)) return;
      this.#summaries = summariesOf(known);
      this.#show(found);
    } catch (error) {
      if (!signal.aborted) speaker.complain(error);
    }
  }

  /** Inserts what all candidates have in common. */
  #insertCertain(found: Completion): boolean {
    const inserted = chooseCompletion(found);
    if (inserted === found.typed) return false;
    const {input, onChange} = this.parts;
    input.replace(found.from, input.draft.cursor, inserted);
    this.#forget();
    onChange();
    this.changed();
    return true;
  }

  #show(found: Completion): void {
    const isDone = found.candidates.length === 1 && found.candidates[0] === found.typed;
    this.#found = found.candidates.length === 0 || isDone ? undefined : found;
    this.#marked = 0;
    this.#hasMoved = false;
    this.parts.onChange();
  }

  #move(by: number): boolean {
    const count = this.#found?.candidates.length ?? 0;
    this.#marked = (this.#marked + by + count) % count;
    this.#hasMoved = true;
    return true;
  }

  #take(): boolean {
    const {input} = this.parts;
    const found = this.#found;
    const candidate = found?.candidates[this.#marked];
    if (!found || candidate === undefined) return false;
    input.replace(found.from, input.draft.cursor, candidate.endsWith('/') ? candidate : `${candidate} `);
    this.#forget();
    this.changed();
    return true;
  }

  #close(): boolean {
    const {text, cursor} = this.parts.input.draft;
    this.#closedFor = text.slice(0, cursor);
    this.#forget();
    return true;
  }

  #forget(): void {
    this.cancel();
    this.#found = undefined;
  }
}

/** What to say beside the first words of commands: a summary, or the words that can follow. */
function summariesOf(commands: readonly SlashCommand[]): ReadonlyMap<string, string> {
  const summaries = new Map<string, string>();
  for (const {words, summary} of commands) {
    const [first = '', second] = words;
    const known = summaries.get(first);
    const said = second ?? summary;
    summaries.set(first, known === undefined ? said : `${known}, ${said}`);
  }
  return summaries;
}

/** Whether the text before the cursor is a command, or ends in `@text`. */
function isCompletable(before: string): boolean {
  return /^\s*\/[^/]*$/.test(before) || /(?:^|[^\\\S])@(?:\\.|[^\s\\])*$/.test(before);
}
