import type {} from '@gemini-kernel/kernel';

/** What would have saved work in a session, with the evidence and how to make it. */
export interface Finding {
  readonly kind: 'rule' | 'fact' | 'command' | 'skill' | 'setting';
  /** What happened, as a sentence. */
  readonly sentence: string;
  /** Calls and prompts that show it, the first ones. */
  readonly evidence: readonly string[];
  /** A line for a shell; or the text to add to `file`. */
  readonly command?: string;
  readonly file?: string;
  readonly text?: string;
}

/** Something that was learned and waits for the person. */
export interface InboxItem {
  readonly id: string;
  readonly kind: 'skill' | 'skill-patch' | 'memory-patch';
  /** What it would change or make: absolute paths. */
  readonly targets: readonly string[];
  /** A unified diff, or the text of a new skill. */
  readonly text: string;
  /** The sessions that it comes from, as far as it says so. */
  readonly sessions: readonly string[];
  /** ISO. */
  readonly written: string;
  /** Why it cannot be applied, as a sentence. It stays, and is never applied. */
  readonly fault?: string;
}

/** What was done with a proposal. */
export interface InboxDone {
  readonly id: string;
  readonly done: 'applied' | 'dismissed' | 'undone';
  readonly files: readonly string[];
}

/** Proposals of this project that wait for the person. Nothing is applied unless a person says so. */
export interface Inbox {
  list(): Promise<readonly InboxItem[]>;
  /** By id or number. Throws KernelError INBOX_UNKNOWN. */
  find(name: string): Promise<InboxItem>;
  /** The file of a proposal, to be edited. Throws KernelError INBOX_UNKNOWN, or INBOX_INVALID for a link. */
  file(name: string): Promise<string>;
  /** Of a skill: its folder, and the files of its cases. Throws KernelError INBOX_UNKNOWN. */
  cases(name: string): Promise<{readonly folder: string; readonly files: readonly string[]}>;
  /**
   * Makes or changes all files of a proposal, or none. Throws KernelError INBOX_UNKNOWN, INBOX_INVALID or
   * INBOX_UNWRITABLE.
   */
  apply(name: string, options: {readonly scope: 'user' | 'workspace'}): Promise<InboxDone>;
  dismiss(name: string): Promise<InboxDone>;
  /** Takes back what was done last. Throws KernelError INBOX_UNDO. */
  undo(): Promise<InboxDone>;
}

/** What a run came to. */
export type Learned =
  | {
      readonly status: 'done';
      /** Ids: those that a model looked at, and those with too little in them. */
      readonly sessions: readonly string[];
      readonly low: readonly string[];
      /** Files below the memory folder. */
      readonly proposals: readonly string[];
      /** Proposals that could not be applied, which are in the inbox with the reason. */
      readonly refused: number;
      readonly tokens: number;
    }
  | {readonly status: 'skipped' | 'failed'; readonly reason: string};

/** What a run would send. */
export interface LearningPreview {
  readonly sessions: readonly string[];
  readonly low: readonly string[];
  /** Without secrets. */
  readonly text: string;
}

export interface LearningStatus {
  /** Whether it happens in the background. */
  readonly isOn: boolean;
  readonly tokensPerDay: number;
  /** Of the last day. */
  readonly tokens: number;
  /** Proposals in the inbox. */
  readonly waiting: number;
  /** The process that does so now. */
  readonly running?: number;
  readonly last?: {
    /** ISO. */
    readonly at: string;
    readonly sessions: number;
    readonly proposals: number;
    readonly end?: string;
  };
}

/** Learns from idle sessions of the project. What it proposes waits in the inbox. */
export interface Learning {
  /** After an answer: begins in the background, if it is switched on and due. Returns at once. */
  follow(): Promise<void>;
  /** Looks at sessions now. Throws KernelError LEARNING_UNSAFE without a plugin that takes secrets out. */
  now(): Promise<Learned>;
  /** What `now` would send. Throws like it. */
  preview(): Promise<LearningPreview>;
  status(): Promise<LearningStatus>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    inbox: Inbox;
    learning: Learning;
  }
}
