import { type Draft } from './edit-text.js';
import type { Graphemes } from './graphemes.js';
import type { Key } from './keys.js';
export type Act = 'submit' | 'interrupt' | 'end' | 'escape' | 'complete' | 'clear' | 'mode' | 'editor' | 'keys';
export interface InputView {
  readonly label: string;
  readonly cells: readonly string[];
  readonly cursor: number;
}
export declare class LineInput {
  #private;
  private readonly graphemes;
  private readonly history;
  private readonly label;
  constructor(graphemes: Graphemes, history?: readonly string[], label?: string);
  get isEmpty(): boolean;
  get draft(): Draft;
  get text(): string;
  clear({ keep }?: { keep?: boolean | undefined }): void;
  set(text: string): void;
  replace(from: number, to: number, inserted: string): void;
  press(key: Key): Act | undefined;
  get view(): InputView;
}
