import {
  chooseCompletion,
  findCompletion,
  type Completing,
  type CompletingParts,
  type FilePlaces,
  type Screen,
} from '@gemini-kernel/plugin-agent/front';
import {safeLine, type Paint} from '@gemini-kernel/terminal';

interface CompleterParts extends CompletingParts {
  readonly places: FilePlaces;
  readonly screen: Screen;
  readonly paint: Paint;
}

const MOST_SHOWN = 50;

/** Completes the text before the cursor; the next key ends a running search. */
export class Completer implements Completing {
  #running: AbortController | undefined;

  constructor(private readonly parts: CompleterParts) {}

  press(): boolean {
    return false;
  }

  changed(): void {
    // Nothing is offered before Tab.
  }

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
