/** One question of the model. */
export interface Question {
  /** What is asked. */
  readonly question: string;
  /** One or two words for it. */
  readonly header: string;
  readonly type: 'choice' | 'text' | 'yesno';
  /** The answers that a choice suggests. The person can also answer in other words. */
  readonly options?: readonly QuestionOption[];
  /** Whether several options can be chosen. */
  readonly multiSelect?: boolean;
  /** An example of an answer to a question of type text. */
  readonly placeholder?: string;
}

export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}

/** What came of questions: one text for each, or the person closed them. */
export type Answered =
  {readonly outcome: 'answered'; readonly answers: readonly string[]} | {readonly outcome: 'closed'};

/** Puts questions to the person of a session, or answers them from the file of `--answers`. */
export interface Questions {
  /** Whether there is a person or a file. Throws KernelError ANSWERS_UNREADABLE. */
  canAnswer(): Promise<boolean>;
  /** Throws ToolError QUESTION_INVALID or QUESTION_UNANSWERED. */
  ask(questions: readonly Question[], signal?: AbortSignal): Promise<Answered>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    questions: Questions;
  }
}
