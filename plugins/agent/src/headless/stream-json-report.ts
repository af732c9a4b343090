import type {AgentEvent, CallRecord} from '../contract.js';
import {textOfOutput} from '../entry-text.js';
import {PlainText} from './plain-text.js';
import {describeEvent, type Report, type Streams} from './report.js';
import {toFailure, toOutcome} from './result-json.js';
import {toStreamStats} from './statistics-json.js';

/** One event per line, as it happens. */
export function createStreamJSONReport({out}: Streams, {raw}: {readonly raw: boolean}): Report {
  const plain = new PlainText();
  const write = (type: string, rest: object): void =>
    out(`${JSON.stringify({type, timestamp: new Date().toISOString(), ...rest})}\n`);
  const say = (content: string): void => {
    if (content !== '') write('message', {role: 'assistant', content, delta: true});
  };
  return {
    start({sessionId, model, prompt, notices}) {
      write('init', {session_id: sessionId, model});
      write('message', {role: 'user', content: prompt});
      for (const {level, code, sentence} of notices)
        if (level !== 'info') write('error', {severity: level, code, message: sentence});
    },
    event(event) {
      if (event.kind === 'text') return say(raw ? event.text : plain.push(event.text));
      if (event.kind === 'message') return say(plain.end());
      if (event.kind === 'call')
        return write('tool_use', {tool_name: event.tool, tool_id: event.id, parameters: event.input});
      if (event.kind === 'result') return write('tool_result', describeResult(event.id, event.call));
      const message = describeEvent(event);
      if (message)
        write('error', {
          severity: severityOf(event),
          ...codeOf(event),
          message: event.kind === 'note' ? event.text : message,
        });
    },
    finish(finish) {
      say(plain.end());
      write('result', {...toOutcome(finish), stats: toStreamStats(finish.stats, finish.ms)});
    },
    fail: (failure) => write('result', toFailure(failure)),
  };
}

function codeOf(event: AgentEvent): {readonly code?: string} {
  return event.kind === 'note' && event.code !== undefined ? {code: event.code} : {};
}

function severityOf(event: AgentEvent): string {
  return event.kind === 'note' ? event.severity : 'warning';
}

function describeResult(id: string, {status, display, output, error}: CallRecord): object {
  const isDone = status === 'done';
  return {
    tool_id: id,
    status: isDone ? 'success' : 'error',
    output: display ?? textOfOutput(output),
    ...(error
      ? {error: {type: error.code, message: error.message}}
      : isDone
        ? {}
        : {error: {type: status.toUpperCase(), message: textOfOutput(output)}}),
  };
}
