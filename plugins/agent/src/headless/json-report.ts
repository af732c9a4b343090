import type {TurnEnd} from '../contract.js';
import {PlainText} from './plain-text.js';
import {describeEvent, type Report, type Streams} from './report.js';
import {toJSONStats} from './statistics-json.js';

/** The error of a run as programs see it. */
export function toJSONError({code, message, hint, status}: NonNullable<TurnEnd['error']>, exit: number): Readonly<Record<string, unknown>> {
  return {type: code, message, ...(hint ? {hint} : {}), code: exit, ...(status === undefined ? {} : {status})};
}

/** One object at the end, also when the run fails. */
export function createJSONReport({out, err}: Streams, {raw}: {readonly raw: boolean}): Report {
  let sessionId = '';
  return {
    start: (start) => void ({sessionId} = start),
    event(event) {
      const line = describeEvent(event);
      if (line) err(line);
    },
    finish({end: {text, error, warnings, refused}, stats, exit}) {
      const plain = new PlainText();
      const response = raw ? text : plain.push(text) + plain.end();
      const refusals = refused.map(({tool, id, reason}) => ({tool_name: tool, tool_id: id, reason}));
      const troubles = {...(error ? {error: toJSONError(error, exit)} : {}), ...(warnings.length > 0 ? {warnings} : {}), ...(refusals.length > 0 ? {refused: refusals} : {})};
      out(JSON.stringify({session_id: sessionId, response, stats: toJSONStats(stats), ...troubles}, null, 2));
      if (error) err(error.message);
    },
    fail({sessionId: id, error, exit}) {
      out(JSON.stringify({session_id: id, error: toJSONError(error, exit)}, null, 2));
      err(error.message);
    },
  };
}
