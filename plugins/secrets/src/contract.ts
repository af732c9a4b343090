import type {} from '@gemini-kernel/kernel';

/** The environment of a command that the agent starts. */
export interface CommandVariables {
  readonly variables: Readonly<Record<string, string>>;
  /** Names of the variables that are left out, in alphabetical order. */
  readonly withheld: readonly string[];
}

/** Removes secrets from a text that arrives in chunks of any size. */
export interface Redactor {
  /** How many characters before a cut can belong to a secret that the cut split. */
  readonly reach: number;
  /** The next piece, without secrets; an end that could be the beginning of one is held back. */
  push(text: string): string;
  /** What was held back. The redactor then starts afresh. */
  end(): string;
}

/** Which environment variables are secret, settled when the program first asks. */
export interface Secrets {
  /** The variables of this program, without the secret ones. */
  environment(): Promise<CommandVariables>;
  /**
   * The text with each value of a withheld variable or of a secret setting replaced by `[redacted: NAME]`, and how many
   * there were.
   */
  redact(text: string): Promise<{readonly text: string; readonly count: number}>;
  /** Whether a text has a secret in it, or something of the form that services give to their keys. */
  suspects(text: string): Promise<boolean>;
  /**
   * `redact`, and what has the form of a key or a password, or a name that says so: for text that is sent or kept
   * without a person who looks at it.
   */
  scrub(text: string): Promise<{readonly text: string; readonly count: number}>;
  /** For streams within this process. */
  redactor(): Promise<Redactor>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    secrets: Secrets;
  }
}
