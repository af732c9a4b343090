export interface Span {
  readonly call: string | undefined;
  readonly hook: string;
  readonly plugin: string;
  readonly outcome: 'answered' | 'failed' | 'late' | 'invalid';
  readonly answer?: unknown;
  readonly changed?: boolean;
  readonly error?: string;
  readonly ms: number;
}
