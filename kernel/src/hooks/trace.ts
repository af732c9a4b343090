import type {Span} from '../contract/span.js';

/** The one stream of spans. */
export interface Trace {
  record(span: Span): void;
  /** What was recorded of one call, oldest first, as long as the call is one of the newest. */
  of(call: string): readonly Span[];
}

const KEPT = 500;

/** A trace that remembers the newest calls; `onSpan` hears of every span, also of what belongs to no call. */
export function createTrace(onSpan: (span: Span) => void): Trace {
  const calls = new Map<string, Span[]>();
  return {
    record(span) {
      onSpan(span);
      if (span.call === undefined) return;
      const known = calls.get(span.call);
      if (known) return void known.push(span);
      calls.set(span.call, [span]);
      if (calls.size > KEPT) calls.delete(calls.keys().next().value ?? '');
    },
    of: (call) => [...(calls.get(call) ?? [])],
  };
}
