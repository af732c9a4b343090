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

/** The one stream of spans. */
export interface Trace {
  record(span: Span): void;
  /** What was recorded of one call, oldest first, as long as the call is one of the newest. */
  of(call: string): readonly Span[];
}

const KEPT = 500;

/** A trace that remembers the newest calls. */
export function createTrace(): Trace {
  const calls = new Map<string, Span[]>();
  return {
    record(span) {
      if (span.call === undefined) return;
      const known = calls.get(span.call);
      if (known) return void known.push(span);
      calls.set(span.call, [span]);
      if (calls.size > KEPT) calls.delete(calls.keys().next().value ?? '');
    },
    of: (call) => [...(calls.get(call) ?? [])],
  };
}
