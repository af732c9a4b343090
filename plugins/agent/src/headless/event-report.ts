import type {AgentEvent, AgentsEvent, CallRecord} from '../contract.js';
import {textOfOutput} from '../entry-text.js';
import {PlainText} from './plain-text.js';
import {describeEvent, type Report} from './report.js';
import {toFailure, toOutcome} from './result-json.js';
import {toStreamStats} from './statistics-json.js';
import type {StreamEvent} from './stream-event.js';

/** Gives the events of `stream-json`, as they happen. */
export function createEventReport(give: (event: StreamEvent) => void, {raw}: {readonly raw: boolean}): Report {
  // The schema of `stream-json`, which tests hold against every event, is what this type says.
  const write: Write = (type, rest) => give({type, timestamp: new Date().toISOString(), ...rest} as StreamEvent);
  const main = new EventLines(write, raw);
  return {
    start({sessionId, model, prompt, notices}) {
      write('init', {session_id: sessionId, model});
      write('message', {role: 'user', content: prompt});
      for (const {level, code, sentence} of notices)
        if (level !== 'info') write('error', {severity: level, code, message: sentence});
    },
    event: (event) => main.see(event),
    finish(finish) {
      main.end();
      write('result', {...toOutcome(finish), stats: toStreamStats(finish.stats, finish.ms)});
    },
    fail: (failure) => write('result', toFailure(failure)),
  };
}

type Write = (type: string, rest: object) => void;

/** The lines of one conversation. Those of an agent are in lines of their own kind, which others can leave out. */
class EventLines {
  readonly #plain = new PlainText();
  readonly #agents = new Map<string, EventLines>();

  constructor(
    private readonly write: Write,
    private readonly isRaw: boolean,
  ) {}

  see(event: AgentEvent): void {
    if (event.kind === 'text') this.#say(this.isRaw ? event.text : this.#plain.push(event.text));
    else if (event.kind === 'message') this.end();
    else if (event.kind === 'call')
      this.write('tool_use', {tool_name: event.tool, tool_id: event.id, parameters: event.input});
    else if (event.kind === 'result') this.write('tool_result', describeResult(event.id, event.call));
    else if (event.kind === 'agent') this.#agent(event).see(event.event);
    else this.#tell(event);
  }

  end(): void {
    this.#say(this.#plain.end());
  }

  #say(content: string): void {
    if (content !== '') this.write('message', {role: 'assistant', content, delta: true});
  }

  #tell(event: AgentEvent): void {
    const message = describeEvent(event);
    if (message)
      this.write('error', {
        severity: severityOf(event),
        ...codeOf(event),
        message: event.kind === 'note' ? event.text : message,
      });
  }

  #agent({id, agent, session}: AgentsEvent): EventLines {
    const known = this.#agents.get(session);
    if (known) return known;
    const write: Write = (type, rest) =>
      this.write('agent_event', {tool_id: id, agent, session_id: session, event: {type, ...rest}});
    const lines = new EventLines(write, this.isRaw);
    this.#agents.set(session, lines);
    return lines;
  }
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
