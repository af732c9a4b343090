import type {ModelEvent, ModelFailure, Piece, TokenUsage} from './contract.js';

export type ModelCall = Extract<ModelEvent, {kind: 'call'}>;

/** The content of one stream of a model, complete or not. */
export class Answer {
  readonly #pieces: Piece[] = [];
  readonly calls: ModelCall[] = [];
  readonly #ids = new Set<string>();
  usage: TokenUsage | undefined;
  end: Extract<ModelEvent, {kind: 'end'}> | undefined;
  failure: ModelFailure | undefined;
  /** When the first event arrived, by `performance.now`. */
  firstAt: number | undefined;

  /** Takes one event in. */
  add(event: ModelEvent): void {
    this.firstAt ??= performance.now();
    if (event.kind === 'text' || event.kind === 'thought') this.#addText(event);
    else if (event.kind === 'call') this.#addCall(event);
    else if (event.kind === 'usage') this.usage = event.usage;
    else if (event.kind === 'end') this.end = event;
    else this.failure = event.failure;
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  get text(): string {
    return this.#pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  }

  /** Whether it contains anything visible to the person. */
  get hasContent(): boolean {
    return this.text.trim() !== '' || this.calls.length > 0;
  }

  /** The pieces without calls: what is kept of an interrupted answer. */
  get saidPieces(): readonly Piece[] {
    return this.#pieces.filter(({kind}) => kind === 'text');
  }

  #addText(event: Extract<ModelEvent, {kind: 'text' | 'thought'}>): void {
    const last = this.#pieces.at(-1);
    // A signed piece is complete: what follows is a new piece.
    const mark = event.signature ? {signature: event.signature} : {};
    if (last?.kind === event.kind && last.signature === undefined)
      this.#pieces[this.#pieces.length - 1] = {...last, text: last.text + event.text, ...mark};
    else this.#pieces.push(event);
  }

  #addCall(event: ModelCall): void {
    // Some servers send the same call twice in one answer.
    if (this.#ids.has(event.id)) return;
    this.#ids.add(event.id);
    this.calls.push(event);
    const {malformed, input, ...call} = event;
    this.#pieces.push({...call, input: malformed === undefined ? input : {}});
  }
}
