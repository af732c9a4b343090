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
  /** The newest spans of one call, oldest first. */
  of(call: string): readonly Span[];
}

const KEPT = 2000;

/** A trace that remembers the newest spans. */
export function createTrace(): Trace {
  const spans: Span[] = [];
  return {
    record(span) {
      spans.push(span);
      if (spans.length > 2 * KEPT) spans.splice(0, KEPT);
    },
    of: (call) => spans.filter((span) => span.call === call),
  };
}
