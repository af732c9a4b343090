import {chooseCompletion, findCompletion, type CommandPlaces} from './complete.js';
import type {FilePlaces} from './find-files.js';
import {safeLine, type LineInput, type Paint} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';
import type {Speaker} from './speaker.js';

interface CompleterParts {
  readonly input: LineInput;
  readonly commands: CommandPlaces;
  readonly places: FilePlaces;
  readonly screen: Screen;
  readonly paint: Paint;
  readonly speaker: Speaker;
}

const MOST_SHOWN = 50;

/** Completes the text before the cursor; the next key ends a running search. */
export class Completer {
  #running: AbortController | undefined;

  constructor(private readonly parts: CompleterParts) {}

  cancel(): void {
    this.#running?.abort(new Error('Another key was pressed.'));
    this.#running = undefined;
  }

  /** Inserts what is certain, or lists the candidates under the line, including those found so far. */
  async complete(): Promise<void> {
    const {input, commands, places, screen, speaker} = this.parts;
    const running = new AbortController();
    this.#running = running;
    const {text, cursor} = input.draft;
    try {
      const update = (found: readonly string[]): void => {
        if (!running.signal.aborted) screen.prompt(input.view, namesOf(found));
      };
      const completion = await findCompletion(text.slice(0, cursor), commands, places, {
        signal: running.signal,
        update,
      });
      running.signal.throwIfAborted();
      const inserted = chooseCompletion(completion);
      if (inserted !== completion.typed) input.replace(completion.from, cursor, inserted);
      else if (completion.candidates.length > 1) this.#list(completion.candidates);
      speaker.print('');
    } catch (error) {
      if (!running.signal.aborted) speaker.complain(error);
    }
  }

  #list(candidates: readonly string[]): void {
    const {screen, input, paint} = this.parts;
    screen.keepPrompt(input.view);
    screen.print(`${paint('dim', namesOf(candidates))}\n`);
  }
}

function namesOf(candidates: readonly string[]): string {
  return candidates
    .slice(0, MOST_SHOWN)
    .map((one) => safeLine(one))
    .join('  ');
}
