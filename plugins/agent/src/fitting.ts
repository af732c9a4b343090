import type {Part} from '@gemini-kernel/kernel';
import type {Entry} from './conversation.js';

/** The history before a request, and what it may be. Sizes are estimates in tokens, by entry and by piece. */
export interface HistoryToFit {
  readonly entries: readonly Entry[];
  readonly sizes: PieceSizes;
  /** The input limit of the model; 0 = unknown. */
  readonly inputLimit: number;
  /** The size at which the history is compressed; 0 = never. */
  readonly compressAt: number;
}

export type PieceSizes = readonly (readonly number[])[];

/**
 * What a request has in place of one piece: another output of a result, or another input of a call. Ids and names stay,
 * and nothing else of the history can be shortened.
 */
export interface ShorterPiece {
  /** The entry's id. */
  readonly entry: string;
  /** Which piece of its message, from 0. */
  readonly piece: number;
  readonly output?: readonly Part[];
  readonly input?: Readonly<Record<string, unknown>>;
}

/** How a request differs from the history. */
export interface HistoryFit {
  readonly shorter: readonly ShorterPiece[];
  /** Compress at this size already. */
  readonly compressAt?: number;
}

/** What a request has besides the history, in estimated tokens. */
export interface RequestFrame {
  /** `provider:model`. */
  readonly model: string;
  readonly inputLimit: number;
  readonly compressAt: number;
  readonly instruction: number;
  /** The names of its sections. */
  readonly sections: readonly string[];
  readonly tools: readonly {readonly name: string; readonly tokens: number}[];
}
