/** One file of a project. `path` is relative, with slashes. */
export interface ProjectFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** What is done: a headless prompt, or one call of a tool. */
export type Task =
  | {readonly kind: 'prompt'; readonly prompt: string}
  | {readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>>};

/** What holds of one file after a repetition. Without a key it has to be there. */
export interface FileCheck {
  readonly path: string;
  readonly absent: boolean;
  readonly unchanged: boolean;
  readonly equal?: string;
  readonly contains: readonly string[];
  readonly lacks: readonly string[];
  readonly pattern?: RegExp;
}

/** How often something has to happen. */
export interface Count {
  readonly least: number;
  readonly most: number;
}

/** Calls that have to be made, or not. */
export interface CallCheck extends Count {
  readonly tool: string;
  /** Patterns for parameters, the value of each as text or JSON. */
  readonly input: Readonly<Record<string, RegExp>>;
  readonly status?: 'success' | 'error' | 'refused';
  /** The agent that makes it; any, and the conversation itself, when it is not given. */
  readonly agent?: string;
}

/** Calls that have to be refused, or not. */
export interface RefusalCheck extends Count {
  readonly tool?: string;
  readonly reason?: RegExp;
}

/** What holds of the last message. */
export interface AnswerCheck {
  readonly contains: readonly string[];
  readonly lacks: readonly string[];
  readonly pattern?: RegExp;
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** A command that has to succeed in the project afterwards. */
export interface CommandCheck {
  readonly run: string;
  readonly output?: RegExp;
  readonly seconds: number;
}

export interface Expectation {
  readonly outcome: string;
  /** Exactly these files are made, changed or removed. */
  readonly changed?: readonly string[];
  readonly files: readonly FileCheck[];
  readonly calls: readonly CallCheck[];
  readonly refusals: readonly RefusalCheck[];
  readonly answer?: AnswerCheck;
  readonly command?: CommandCheck;
}

/** A model that says whether an answer is right, and answers for which that is known. */
export interface Judge {
  readonly model: string;
  readonly rubric: string;
  /** Files of the project that it sees after the run. */
  readonly files: readonly string[];
  readonly cases: readonly {readonly answer: string; readonly pass: boolean}[];
}

export interface Limits {
  readonly turns?: number;
  readonly tokens?: number;
  readonly cost?: number;
  readonly seconds: number;
}

/** One evaluation, as its folder says. */
export interface Eval {
  /** The path of its folder below the folder of all, with slashes. */
  readonly name: string;
  readonly folder: string;
  readonly description: string;
  readonly task: Task;
  readonly project: readonly ProjectFile[];
  readonly models: readonly string[];
  readonly repeat: number;
  readonly passRate: number;
  readonly mode: string;
  readonly allow: readonly string[];
  /** Files of rules, by name. */
  readonly policy: readonly ProjectFile[];
  readonly limits: Limits;
  readonly expect: Expectation;
  readonly judge?: Judge;
  /** SHA-256 of all that it is made of, in hex. */
  readonly digest: string;
}

/** The file beside `eval.toml` with the answers of the model `recorded`. */
export const RECORDING = 'recording.jsonl';
/** The model whose answers are the recording. */
export const RECORDED = 'recorded';
