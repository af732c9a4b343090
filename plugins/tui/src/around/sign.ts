/** What a conversation waits for. */
export type WaitState = 'ready' | 'working' | 'asking';

/** Something outside of the screen that shows what a conversation waits for. */
export interface Sign {
  show(state: WaitState): void;
}
