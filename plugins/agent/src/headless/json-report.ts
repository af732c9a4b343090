import {PlainText} from './plain-text.js';
import {describeEvent, type Report, type Streams} from './report.js';
import {toFailure, toOutcome} from './result-json.js';
import {toJSONStats} from './statistics-json.js';

/** One object at the end, even when the run fails. */
export function createJSONReport({out, err}: Streams, {raw}: {readonly raw: boolean}): Report {
  return {
    start: () => undefined,
    event(event) {
      const line = describeEvent(event);
      if (line) err(line);
    },
    finish(finish) {
      const {text, error} = finish.end;
      const plain = new PlainText();
      const response = raw ? text : plain.push(text) + plain.end();
      out(JSON.stringify({...toOutcome(finish), response, stats: toJSONStats(finish.stats)}, null, 2));
      if (error) err(error.message);
    },
    fail(failure) {
      out(JSON.stringify(toFailure(failure), null, 2));
      err(failure.error.message);
    },
  };
}
