/** An evaluation as `eval.toml` says it. */
export interface SuiteEval {
  /** The path of its folder. */
  readonly name: string;
  readonly toml: Readonly<Record<string, unknown>>;
}

/** Evaluations that come with this program. */
export interface Suite {
  readonly name: string;
  readonly description: string;
  /** How many it makes unless a number is given; absent: always the same ones. */
  readonly count?: number;
  /** The same seed makes the same evaluations. */
  make(options: {readonly count: number; readonly seed: number}): readonly SuiteEval[];
}
