/** Something that can be done with an item of a view. */
export interface ViewAction {
  readonly name: string;
  /** The key that does it: one character. Enter does the first action. */
  readonly key: string;
  /** In the imperative, in a few words: `rename`. */
  readonly label: string;
  /** A question to answer with yes first. */
  readonly confirm?: string;
  /** Whether it can be typed behind the command, with the end of an item's label: `/memory edit GEMINI.md`. */
  readonly isTyped?: boolean;
  /** A text that the action needs. */
  readonly input?: {readonly label: string; /** It starts as the text of the item. */ readonly isItem?: boolean};
}

/** What a view is about, and what can be done in it. */
export interface ViewDescription {
  readonly title: string;
  /** What to say when there is nothing in it. */
  readonly empty: string;
  /** `contents`: `list` looks into what the items are about; `labels`: the interface filters what it shows. */
  readonly search: 'contents' | 'labels';
  /** Names of orders, the usual one first. */
  readonly sorts: readonly string[];
  /** The item that is marked at first: by default the first one. */
  readonly start?: 'first' | 'last';
  /** `command`: where there are only lines, the command without further words says the same, and is run instead. */
  readonly inLines?: 'view' | 'command';
  /** While it is shown, the list and the preview are asked for again after so many milliseconds; at least 200. */
  readonly refreshMs?: number;
  readonly actions: readonly ViewAction[];
}

/** One line of a view. */
export interface ViewItem {
  readonly id: string;
  readonly label: string;
  /** Shown at the right: an age, a number, a value. */
  readonly details?: string;
  /** What an action starts from that needs a text; by default the label. */
  readonly text?: string;
  /** Where the searched text was found. */
  readonly found?: string;
}

export interface ViewQuery {
  /** What is searched for; empty: everything. */
  readonly text: string;
  /** One of the orders. */
  readonly sort?: string;
  readonly isReversed: boolean;
}

/** A part of a text to read. A diff is a unified one, and may be about several files. */
export interface ViewText {
  readonly kind: 'text' | 'markdown' | 'diff';
  readonly title?: string;
  readonly text: string;
  /** It grows: its end is shown first, and stays shown as long as the person does not scroll. */
  readonly isTail?: boolean;
}

/**
 * What follows an action: the view with a sentence, its preview to read, the conversation, a command of it, or a file
 * in the person's editor. When that is closed, the action `then` of the same item says what came of it.
 */
export type ViewOutcome =
  | {readonly kind: 'stay'; readonly sentence?: string}
  | {readonly kind: 'read'}
  | {readonly kind: 'leave'}
  | {readonly kind: 'command'; readonly words: readonly string[]}
  | {readonly kind: 'edit'; readonly file: string; readonly then: string; readonly id: string};

/**
 * Things to look through and to choose from: the service `view:<name>`, which an interface shows for `/<name>` without
 * further words. JSON: how it is drawn is left to the interface, which has one drawer for full screens, one for the
 * rows below the history, and one for plain lines. No method asks the person. An error is shown, and the view stays.
 */
export interface View {
  describe(): Promise<ViewDescription>;
  list(query: ViewQuery, signal: AbortSignal): Promise<readonly ViewItem[]>;
  /** What an item is about, for reading. */
  preview(id: string, signal: AbortSignal): Promise<readonly ViewText[]>;
  act(action: string, id: string, text?: string): Promise<ViewOutcome>;
}
