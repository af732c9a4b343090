export interface Finding {
  readonly kind: 'rule' | 'fact' | 'command' | 'skill' | 'setting';
  readonly sentence: string;
  readonly evidence: readonly string[];
  readonly command?: string;
  readonly file?: string;
  readonly text?: string;
}
export interface InboxItem {
  readonly id: string;
  readonly kind: 'skill' | 'skill-patch' | 'memory-patch';
  readonly targets: readonly string[];
  readonly text: string;
  readonly sessions: readonly string[];
  readonly written: string;
  readonly fault?: string;
}
export interface InboxDone {
  readonly id: string;
  readonly done: 'applied' | 'dismissed' | 'undone';
  readonly files: readonly string[];
}
export interface Inbox {
  list(): Promise<readonly InboxItem[]>;
  find(name: string): Promise<InboxItem>;
  file(name: string): Promise<string>;
  cases(name: string): Promise<{
    readonly folder: string;
    readonly files: readonly string[];
  }>;
  apply(
    name: string,
    options: {
      readonly scope: 'user' | 'workspace';
    },
  ): Promise<InboxDone>;
  dismiss(name: string): Promise<InboxDone>;
  undo(): Promise<InboxDone>;
}
export type Learned =
  | {
      readonly status: 'done';
      readonly sessions: readonly string[];
      readonly low: readonly string[];
      readonly proposals: readonly string[];
      readonly refused: number;
      readonly tokens: number;
    }
  | {
      readonly status: 'skipped' | 'failed';
      readonly reason: string;
    };
export interface LearningPreview {
  readonly sessions: readonly string[];
  readonly low: readonly string[];
  readonly text: string;
}
export interface LearningStatus {
  readonly isOn: boolean;
  readonly tokensPerDay: number;
  readonly tokens: number;
  readonly waiting: number;
  readonly running?: number;
  readonly last?: {
    readonly at: string;
    readonly sessions: number;
    readonly proposals: number;
    readonly end?: string;
  };
}
export interface Learning {
  follow(): Promise<void>;
  now(): Promise<Learned>;
  preview(): Promise<LearningPreview>;
  status(): Promise<LearningStatus>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    inbox: Inbox;
    learning: Learning;
  }
}
