import type {Graphemes, Key, KeyBindings} from '@gemini-kernel/terminal';
import type {View, ViewOutcome} from '../../contract.js';
import type {Drawers} from '../drawers.js';
import type {Speaker} from '../speaker.js';
import type {OpenView, Viewable} from './open-view.js';

interface ViewingParts {
  readonly drawers: Pick<Drawers, 'view'>;
  readonly speaker: Speaker;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  onSuspend(): void;
  /** The screen below the view is to be drawn again. */
  onChange(): void;
}

/** The view that has the screen, if one does. */
export class Viewing {
  #open: {readonly view: OpenView; close(): void} | undefined;
  readonly #waiting = new Set<() => void>();
  #hasEnded = false;

  constructor(private readonly parts: ViewingParts) {}

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Shows a view until the person leaves it, and gives what is to follow. */
  async show(what: Viewable): Promise<ViewOutcome | undefined> {
    if (this.#open || this.#hasEnded) return undefined;
    const left = new AbortController();
    const {promise, resolve} = withResolvers<ViewOutcome | undefined>();
    const view = await this.parts.drawers.view(what, {signal: left.signal, onClose: resolve});
    try {
      if (this.#hasEnded) return undefined;
      this.#open = {view, close: () => resolve(undefined)};
      view.redraw();
      return await promise;
    } finally {
      left.abort(new Error('The view is closed.'));
      if (!this.#hasEnded) view.close();
      this.#open = undefined;
      for (const go of this.#waiting) go();
      this.#waiting.clear();
      if (!this.#hasEnded) this.parts.onChange();
    }
  }

  /** Shows a view that leads to nothing else; an error is printed. */
  async showList(view: View): Promise<void> {
    try {
      await this.show({kind: 'list', view, description: await view.describe()});
    } catch (error) {
      this.parts.speaker.complain(error);
    }
  }

  press(key: Key): void {
    const {keys, graphemes, onSuspend} = this.parts;
    if (key.kind === 'text') graphemes.split(key.text).forEach((text) => this.#open?.view.press({kind: 'text', text}));
    else if (key.kind === 'key' && key.name === 'ctrl+c') this.#open?.close();
    else if (key.kind === 'key' && keys.actOf('prompt', key.name) === 'suspend') onSuspend();
    else this.#open?.view.press(key);
  }

  redraw(): void {
    this.#open?.view.redraw();
  }

  /** Gives the terminal back for a while; `redraw` takes it again. */
  leave(): void {
    this.#open?.view.close();
  }

  /** The conversation ends: the terminal gets its screen back. */
  end(): void {
    this.#hasEnded = true;
    this.#open?.view.close();
    this.#open?.close();
  }

  /** Waits until no view has the screen; the view says that something is asked. Rejects with the signal's reason. */
  async whenClosed(signal: AbortSignal): Promise<void> {
    if (!this.#open) return;
    this.#open.view.note('gemini asks something. Esc closes this view and shows it.');
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, {once: true});
      this.#waiting.add(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
    });
  }
}

function withResolvers<T>(): {readonly promise: Promise<T>; resolve(value: T): void} {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return {promise, resolve};
}
