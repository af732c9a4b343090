import type {WorkMeasure, WorkSpan} from '../../contract.js';
import {spanIdOf, traceIdOf, writeParent, type TracePlace} from '../ids.js';
import type {Outbox} from '../outbox.js';

function placeOf(trace: string, id: string): TracePlace {
  const traceId = traceIdOf(trace);
  return {traceId, spanId: spanIdOf(traceId, id)};
}

/** Where a span of work is, known before it ends. */
export function parentOfWork(trace: string, id: string): string {
  return writeParent(placeOf(trace, id));
}

/** Work that no session does: spans and measurements, as they are given. */
export function recordWork(out: Outbox, spans: readonly WorkSpan[], measures: readonly WorkMeasure[]): void {
  for (const {trace, id, parent, ...span} of spans)
    out.span({
      ...span,
      ...placeOf(trace, id),
      ...(parent === undefined ? {} : {parentId: placeOf(trace, parent).spanId}),
      kind: 'internal',
    });
  for (const {name, value, attributes} of measures) out.meter.add(name, value, attributes);
}
