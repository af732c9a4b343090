import type {Meter} from './meter.js';
import type {LogRecord, SpanRecord} from './records.js';

/** Where the records of sessions go. */
export interface Outbox {
  readonly meter: Pick<Meter, 'add'>;
  span(span: SpanRecord): void;
  log(log: LogRecord): void;
}
