import {messageOf} from '@gemini-kernel/kernel';
import type {View} from '../../views.js';
import {TextBody, type BodyParts} from './text-body.js';

interface PreviewParts extends BodyParts {
  readonly view: View;
  /** Aborted when the view is closed. */
  readonly signal: AbortSignal;
  onChange(): void;
}

/** What the marked item of a list is about, and which part of it is shown. */
export class MarkedPreview {
  #id: string | undefined;
  #shown: {readonly id: string; readonly body: TextBody} | undefined;
  #top = 0;
  /** Whether the end stays shown while the text grows. */
  #isFollowing = false;
  #hasTail = false;

  constructor(private readonly parts: PreviewParts) {}

  /** The text about an item; undefined while it is not known. */
  body(id: string | undefined): TextBody | undefined {
    return this.#shown?.id === id ? this.#shown?.body : undefined;
  }

  /** The first shown row; the end is beyond all rows. */
  get top(): number {
    return this.#isFollowing ? Infinity : this.#top;
  }

  /** Which row is the first one, once the size is known. */
  set top(top: number) {
    this.#top = top;
  }

  move(step: number): void {
    this.#isFollowing = this.#hasTail && step === Infinity;
    this.#top = Math.max(0, this.#top + step);
  }

  /** Finds out what an item is about, unless another one is marked meanwhile. */
  show(id: string | undefined): void {
    if (id === undefined || id === this.#id) return;
    this.#id = id;
    this.#top = 0;
    this.#isFollowing = false;
    this.#hasTail = false;
    void this.#load(id);
  }

  /** Asks again what the item is about; the shown part stays shown. */
  async refresh(): Promise<void> {
    if (this.#id !== undefined) await this.#load(this.#id);
  }

  async #load(id: string): Promise<void> {
    const {view, signal, onChange} = this.parts;
    const texts = await view
      .preview(id, signal)
      .catch((error: unknown) => [{kind: 'text' as const, text: messageOf(error), isTail: false}]);
    if (this.#id !== id || signal.aborted) return;
    const hasTail = texts.some(({isTail}) => isTail === true);
    if (hasTail && !this.#hasTail) this.#isFollowing = true;
    this.#hasTail = hasTail;
    this.#shown = {id, body: new TextBody(texts, this.parts)};
    onChange();
  }
}
