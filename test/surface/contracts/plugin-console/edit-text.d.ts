import type { Graphemes } from './graphemes.js';
interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}
export interface Draft extends Snapshot {
  readonly pastes: readonly string[];
  readonly kills: readonly string[];
  readonly past: readonly Snapshot[];
  readonly future: readonly Snapshot[];
  readonly last?:
    | 'type'
    | 'kill'
    | 'move'
    | {
        readonly yanked: number;
        readonly index: number;
      };
  readonly column?: number;
}
export type Edit = (draft: Draft, graphemes: Graphemes) => Draft;
export declare const emptyDraft: Draft;
export declare function startFrom(draft: Draft, text: string): Draft;
export declare function textOf({ text, pastes }: Pick<Draft, 'text' | 'pastes'>): string;
export declare function namePaste(mark: string, pastes: readonly string[]): string | undefined;
export declare function type(draft: Draft, typed: string): Draft;
export declare function paste(draft: Draft, pasted: string): Draft;
export declare function splice(draft: Draft, from: number, to: number, inserted: string): Draft;
export declare function moveLine(draft: Draft, graphemes: Graphemes, by: -1 | 1): Draft | undefined;
export declare const edits: Readonly<Record<string, Edit>>;
export {};
