import type {Entry, Piece} from '@gemini-kernel/plugin-agent/contract';

/** The pieces of entries by the entry's id. */
export type Pieces = ReadonlyMap<string, readonly Piece[]>;

/** Reads them; of two entries of one id the last one counts. */
export function piecesOf(entries: readonly Entry[]): Pieces {
  return new Map(entries.map(({id, message}) => [id, message.pieces]));
}
