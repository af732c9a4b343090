export interface CommandVariables {
  readonly variables: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
}
export interface Redactor {
  readonly reach: number;
  push(text: string): string;
  end(): string;
}
export interface Secrets {
  environment(): Promise<CommandVariables>;
  redact(text: string): Promise<{
    readonly text: string;
    readonly count: number;
  }>;
  suspects(text: string): Promise<boolean>;
  scrub(text: string): Promise<{
    readonly text: string;
    readonly count: number;
  }>;
  redactor(): Promise<Redactor>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    secrets: Secrets;
  }
}
