export interface Question {
  readonly question: string;
  readonly header: string;
  readonly type: 'choice' | 'text' | 'yesno';
  readonly options?: readonly QuestionOption[];
  readonly multiSelect?: boolean;
  readonly placeholder?: string;
}
export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}
export type Answered =
  | {
      readonly outcome: 'answered';
      readonly answers: readonly string[];
    }
  | {
      readonly outcome: 'closed';
    };
export interface Questions {
  canAnswer(): Promise<boolean>;
  ask(questions: readonly Question[], signal?: AbortSignal): Promise<Answered>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    questions: Questions;
  }
}
