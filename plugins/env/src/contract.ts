import type {} from '@gemini-kernel/kernel';

/** Where a variable's value comes from. */
export interface VariableSource {
  readonly value: string;
  /** The `.env` file; absent when the program was started with it. */
  readonly file?: string;
  /** Whether that file came with a project, and not from the person. */
  readonly isProject?: boolean;
}

/** Environment variables: what the program was started with, then what the nearest `.env` file adds. */
export interface Variables {
  /** The value; undefined when it is not set, or empty. */
  get(name: string): Promise<string | undefined>;
  explain(name: string): Promise<VariableSource | undefined>;
  /** The `.env` file that counts, and the names it adds. */
  file(): Promise<{readonly path: string; readonly names: readonly string[]} | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    variables: Variables;
  }
}
