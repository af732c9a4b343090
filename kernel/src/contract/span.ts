/** What one listener did when it was asked. */
export interface Span {
  readonly call: string | undefined;
  readonly hook: string;
  readonly plugin: string;
  /** `failed`: threw; `late`: missed its deadline; `invalid`: answered what its hook does not accept. */
  readonly outcome: 'answered' | 'failed' | 'late' | 'invalid';
  readonly answer?: unknown;
  /** Transforms: whether the value is another one than before. */
  readonly changed?: boolean;
  readonly error?: string;
  readonly ms: number;
}
