import {createEventReport} from './event-report.js';
import type {Report, Streams} from './report.js';

/** One event per line, as it happens. */
export function createStreamJSONReport({out}: Streams, options: {readonly raw: boolean}): Report {
  return createEventReport((event) => out(`${JSON.stringify(event)}\n`), options);
}
