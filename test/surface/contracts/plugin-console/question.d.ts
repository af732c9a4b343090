import type { Confirmation, PayloadOf } from '@gemini-kernel/kernel';
import type { Asking } from './asking.js';
import { type Graphemes, type Key, type Paint } from '@gemini-kernel/terminal';
import type { Screen } from './screen.js';
export type Asked = PayloadOf<'tool:confirm'>;
export interface QuestionParts {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  readonly inWords: boolean;
}
export declare class Question implements Asking<Confirmation> {
  #private;
  private readonly asked;
  private readonly parts;
  readonly refusal: Confirmation;
  constructor(asked: Asked, parts: QuestionParts);
  introduce(): void;
  open(): void;
  get restOfAnswer(): string;
  press(key: Key): Confirmation | undefined;
  withdraw(): void;
  refresh(): void;
}
