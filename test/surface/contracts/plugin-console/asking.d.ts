import type { Key } from '@gemini-kernel/terminal';
export interface Asking<A> {
  readonly refusal: A;
  readonly restOfAnswer: string;
  introduce(): void;
  open(): void;
  press(key: Key): A | undefined;
  withdraw(): void;
  refresh(): void;
}
