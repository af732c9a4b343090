import type { Part } from '@gemini-kernel/kernel';
import type { Entry } from './conversation.js';
export interface HistoryToFit {
  readonly entries: readonly Entry[];
  readonly sizes: PieceSizes;
  readonly inputLimit: number;
  readonly compressAt: number;
}
export type PieceSizes = readonly (readonly number[])[];
export interface ShorterPiece {
  readonly entry: string;
  readonly piece: number;
  readonly output?: readonly Part[];
  readonly input?: Readonly<Record<string, unknown>>;
}
export interface HistoryFit {
  readonly shorter: readonly ShorterPiece[];
  readonly compressAt?: number;
}
export interface RequestFrame {
  readonly model: string;
  readonly inputLimit: number;
  readonly compressAt: number;
  readonly instruction: number;
  readonly sections: readonly string[];
  readonly tools: readonly {
    readonly name: string;
    readonly tokens: number;
  }[];
}
