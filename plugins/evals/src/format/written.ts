interface WrittenFileCheck {
  readonly absent?: boolean;
  readonly unchanged?: boolean;
  readonly equal?: string;
  readonly equal_file?: string;
  readonly contains?: string | readonly string[];
  readonly lacks?: string | readonly string[];
  readonly pattern?: string;
}

interface WrittenCount {
  readonly least?: number;
  readonly most?: number;
}

export interface WrittenCall extends WrittenCount {
  readonly tool: string;
  readonly input?: Readonly<Record<string, string>>;
  readonly status?: 'success' | 'error' | 'refused';
  readonly agent?: string;
}

export interface WrittenRefusal extends WrittenCount {
  readonly tool?: string;
  readonly reason?: string;
}

export interface WrittenExpectation {
  readonly outcome?: string;
  readonly changed?: readonly string[];
  readonly files?: Readonly<Record<string, WrittenFileCheck>>;
  readonly calls?: readonly WrittenCall[];
  readonly refusals?: readonly WrittenRefusal[];
  readonly answer?: {
    readonly contains?: string | readonly string[];
    readonly lacks?: string | readonly string[];
    readonly pattern?: string;
    readonly schema?: string;
  };
  readonly command?: {readonly run: string; readonly output?: string; readonly seconds?: number};
}

/** `eval.toml`, once it fits the schema. */
export interface WrittenEval {
  readonly description?: string;
  readonly prompt?: string;
  readonly call?: {readonly tool: string; readonly input?: Readonly<Record<string, unknown>>};
  readonly project?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly models?: readonly string[];
  readonly repeat?: number;
  readonly pass_rate?: number;
  readonly mode?: string;
  readonly allow?: readonly string[];
  readonly policy?: string | readonly string[];
  readonly limits?: {
    readonly turns?: number;
    readonly tokens?: number;
    readonly cost?: number;
    readonly seconds?: number;
  };
  readonly expect?: WrittenExpectation;
  readonly judge?: {
    readonly model: string;
    readonly rubric: string;
    readonly files?: readonly string[];
    readonly cases: readonly {readonly answer: string; readonly pass: boolean}[];
  };
}
