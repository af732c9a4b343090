import type {Variant} from '../variant/variant.js';

/** The first line of a run, and one more each time it is continued. */
export interface RunHeader {
  readonly kind: 'run';
  readonly format: 1;
  readonly run: string;
  readonly started: string;
  /** Of this program. */
  readonly version: string;
  /** What was to be done. */
  readonly from: string;
  readonly filter: string;
  /** From the command line; empty where each evaluation has its own. */
  readonly models: readonly string[];
  readonly repeat?: number;
  /** What its repetitions had in the place of a component. */
  readonly variant?: Variant;
  readonly evals: Readonly<Record<string, {readonly digest: string; readonly passRate: number}>>;
}

/** `error`: the model could not be asked, which says nothing about it. */
export type Status = 'passed' | 'failed' | 'error';

/** How one repetition ended. */
export interface Result {
  readonly kind: 'result';
  readonly eval: string;
  readonly model: string;
  readonly repetition: number;
  /** Of the evaluation. */
  readonly digest: string;
  readonly status: Status;
  /** Why it did not pass, as sentences. */
  readonly faults: readonly string[];
  readonly outcome: string;
  readonly calls: number;
  readonly refused: number;
  readonly turns: number;
  readonly tokens: number;
  /** US dollars, where every price is known. */
  readonly cost?: number;
  readonly seconds: number;
  /** How often the variant took the place of the component, in a run with one. */
  readonly varied?: number;
  /** A file below the folder of conversations. */
  readonly conversation: string;
}

/** A run as its file says. */
export interface Run {
  readonly file: string;
  readonly header: RunHeader;
  /** The last result of each repetition, in the order in which they ended. */
  readonly results: readonly Result[];
}

/** What is the same for a repetition that is run again. */
export function keyOf({eval: name, model, repetition}: Pick<Result, 'eval' | 'model' | 'repetition'>): string {
  return JSON.stringify([name, model, repetition]);
}

/** The folder with the conversations of a run. */
export function conversationsOf(file: string): string {
  return `${file.replace(/\.jsonl$/, '')}.conversations`;
}
