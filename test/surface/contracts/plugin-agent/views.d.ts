export interface ViewAction {
  readonly name: string;
  readonly key: string;
  readonly label: string;
  readonly confirm?: string;
  readonly isTyped?: boolean;
  readonly input?: {
    readonly label: string;
    readonly isItem?: boolean;
  };
}
export interface ViewDescription {
  readonly title: string;
  readonly empty: string;
  readonly search: 'contents' | 'labels';
  readonly sorts: readonly string[];
  readonly start?: 'first' | 'last';
  readonly inLines?: 'view' | 'command';
  readonly refreshMs?: number;
  readonly actions: readonly ViewAction[];
}
export interface ViewItem {
  readonly id: string;
  readonly label: string;
  readonly details?: string;
  readonly text?: string;
  readonly found?: string;
}
export interface ViewQuery {
  readonly text: string;
  readonly sort?: string;
  readonly isReversed: boolean;
}
export interface ViewText {
  readonly kind: 'text' | 'markdown' | 'diff';
  readonly title?: string;
  readonly text: string;
  readonly isTail?: boolean;
}
export type ViewOutcome =
  | {
      readonly kind: 'stay';
      readonly sentence?: string;
    }
  | {
      readonly kind: 'read';
    }
  | {
      readonly kind: 'leave';
    }
  | {
      readonly kind: 'command';
      readonly words: readonly string[];
    }
  | {
      readonly kind: 'edit';
      readonly file: string;
      readonly then: string;
      readonly id: string;
    };
export interface View {
  describe(): Promise<ViewDescription>;
  list(query: ViewQuery, signal: AbortSignal): Promise<readonly ViewItem[]>;
  preview(id: string, signal: AbortSignal): Promise<readonly ViewText[]>;
  act(action: string, id: string, text?: string): Promise<ViewOutcome>;
}
