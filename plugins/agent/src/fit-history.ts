import type {AgentParts} from './agent-parts.js';
import type {Entry, Piece, PieceSizes, ShorterPiece} from './contract.js';
import {estimatePiece} from './estimate-tokens.js';
import {freezeJson} from './freeze-json.js';

/** Calls and results below this size are not worth a question. */
const LEAST = 10_000;
/** Unless their pictures and documents are large: APIs limit the bytes of a request. */
const LEAST_MEDIA = 4 * 1024 * 1024;
/** Where the limit of a model is small, below this share of the size at which the history is compressed. */
const LEAST_SHARE = 1 / 8;

export interface FittedHistory {
  readonly entries: readonly Entry[];
  /** The tokens that each entry of the history has more, estimated. */
  readonly saved: readonly number[];
  readonly compressAt?: number;
}

export interface FitLimits {
  readonly inputLimit: number;
  /** 0 = never. */
  readonly compressAt: number;
}

/**
 * The history as a request has it: listeners may have shortened outputs of results and inputs of calls. Whatever they
 * answer, prompts stay as they are and each call keeps its result, because only these two can be replaced.
 */
export class HistoryFitting {
  readonly #sizes = new WeakMap<Entry, readonly number[]>();
  readonly #made = new WeakMap<Entry, {readonly from: string; readonly entry: Entry}>();
  #last: {readonly key: string; readonly fitted: FittedHistory} | undefined;

  constructor(private readonly parts: Pick<AgentParts, 'context' | 'history'>) {}

  /** The estimated tokens of each piece. */
  measure(entries: readonly Entry[]): PieceSizes {
    return entries.map((entry) => {
      const known = this.#sizes.get(entry);
      if (known) return known;
      const sizes = Object.freeze(entry.kind === 'note' ? [] : entry.message.pieces.map(estimatePiece));
      this.#sizes.set(entry, sizes);
      return sizes;
    });
  }

  /** What the newest request saved. */
  get lastSaved(): number {
    return this.#last?.fitted.saved.reduce((total, one) => total + one, 0) ?? 0;
  }

  async fit(limits: FitLimits): Promise<FittedHistory> {
    const {history} = this.parts;
    const key = `${history.revision} ${limits.inputLimit} ${limits.compressAt}`;
    if (this.#last?.key !== key) this.#last = {key, fitted: await this.#ask(limits)};
    return this.#last.fitted;
  }

  async #ask(limits: FitLimits): Promise<FittedHistory> {
    const {context, history} = this.parts;
    const {entries} = history;
    const sizes = this.measure(entries);
    if (sizeOfCalls(entries, sizes) < leastFor(limits) && bytesOfMedia(entries) < LEAST_MEDIA)
      return {entries, saved: []};
    const fit = await context.dispatch('history:fit', {entries, sizes, ...limits});
    if (!fit) return {entries, saved: []};
    const {compressAt} = fit;
    return {...this.#apply(entries, fit.shorter), ...(compressAt === undefined ? {} : {compressAt})};
  }

  #apply(entries: readonly Entry[], shorter: readonly ShorterPiece[]): Pick<FittedHistory, 'entries' | 'saved'> {
    const byEntry = new Map<string, ShorterPiece[]>();
    for (const one of shorter) byEntry.set(one.entry, [...(byEntry.get(one.entry) ?? []), one]);
    const fitted = entries.map((entry) => {
      const own = byEntry.get(entry.id);
      return own ? this.#shorten(entry, own) : entry;
    });
    const saved = fitted.map((made, at) => sum(this.measure(entries.slice(at, at + 1))) - sum(this.measure([made])));
    return {entries: fitted, saved};
  }

  /** The same entry for the same answer: what was frozen and copied once need not be again. */
  #shorten(entry: Entry, shorter: readonly ShorterPiece[]): Entry {
    const from = JSON.stringify(shorter);
    const known = this.#made.get(entry);
    if (known?.from === from) return known.entry;
    const pieces = entry.message.pieces.map((piece, index) =>
      shorten(
        piece,
        shorter.find((one) => one.piece === index),
      ),
    );
    const made = freezeJson({...entry, message: {...entry.message, pieces}});
    this.#made.set(entry, {from, entry: made});
    return made;
  }
}

function shorten(piece: Piece, by: ShorterPiece | undefined): Piece {
  if (piece.kind === 'result' && by?.output) return {...piece, output: by.output};
  if (piece.kind === 'call' && by?.input) return {...piece, input: by.input};
  return piece;
}

function sizeOfCalls(entries: readonly Entry[], sizes: PieceSizes): number {
  return entries.reduce(
    (total, {message}, at) =>
      total +
      message.pieces.reduce(
        (own, {kind}, piece) => own + (kind === 'result' || kind === 'call' ? (sizes[at]?.[piece] ?? 0) : 0),
        0,
      ),
    0,
  );
}

function bytesOfMedia(entries: readonly Entry[]): number {
  const parts = entries.flatMap(({message}) =>
    message.pieces.flatMap((piece) => (piece.kind === 'result' ? piece.output : [])),
  );
  return parts.reduce((sum, part) => sum + ('text' in part ? 0 : part.inlineData.data.length), 0);
}

function leastFor({compressAt}: FitLimits): number {
  return compressAt > 0 ? Math.min(LEAST, compressAt * LEAST_SHARE) : LEAST;
}

function sum(sizes: PieceSizes): number {
  return sizes.flat().reduce((total, size) => total + size, 0);
}
