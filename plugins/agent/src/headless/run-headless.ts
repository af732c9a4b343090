import type {Agent, AgentEvent, Prompted, RunNotices, TurnEnd} from '../contract.js';
import {endOfAbort} from '../run-stop.js';
import {createJSONReport} from './json-report.js';
import type {Report, Streams} from './report.js';
import {createStreamJSONReport} from './stream-json-report.js';
import {createTextReport} from './text-report.js';

export type Format = 'text' | 'json' | 'stream-json';

/** The report of each output format. */
export const reports: Readonly<Record<Format, (streams: Streams, options: {readonly raw: boolean}) => Report>> = {
  text: createTextReport,
  json: createJSONReport,
  'stream-json': createStreamJSONReport,
};

/** How long calls may take to end after the run was stopped; the program itself has two seconds. */
const GRACE_MS = 1000;

interface Run {
  readonly agent: Agent;
  readonly report: Report;
  readonly sessionId: string;
  readonly directory: string;
  readonly prompt: Prompted;
  /** The message of a command, when there is no prompt for a model. */
  readonly said?: string | undefined;
  readonly notices: RunNotices;
  /** What was cut before the run started, as sentences. */
  readonly warnings: readonly string[];
  readonly failOnRefused: boolean;
  readonly signal: AbortSignal;
  exitCodeOf(code: string): number;
}

/** Runs one prompt and reports it, whatever ends it; gives the exit code. */
export async function runHeadless({agent, report, prompt, signal, ...run}: Run): Promise<number> {
  const started = performance.now();
  const {sessionId, directory} = run;
  const seen = new Seen(run.warnings);
  const onEvent = (event: AgentEvent): void => {
    seen.add(event);
    report.event(event);
  };
  const {chosen: model} = await agent.model();
  const notices = run.notices.follow(({level, code, sentence}) =>
    onEvent({kind: 'note', severity: level, text: sentence, code}),
  );
  for (const {level, sentence} of notices) seen.add({kind: 'note', severity: level, text: sentence});
  report.start({sessionId, prompt: prompt.text, model, notices});
  const stopped = createStopped(signal);
  const answering = run.said === undefined ? agent.send(prompt, {signal, onEvent}) : saying(run.said, onEvent);
  const sent = await Promise.race([answering, stopped.late]);
  stopped.forget();
  const end = seen.complete(sent ?? {...seen.end, ...endOfAbort(signal)}, run.failOnRefused);
  const exit = end.error ? run.exitCodeOf(end.error.code) : 0;
  report.finish({sessionId, directory, end, stats: await agent.stats(), ms: performance.now() - started, exit});
  return exit;
}

/** The message of a command, as an answer without a model. */
async function saying(text: string, onEvent: (event: AgentEvent) => void): Promise<TurnEnd> {
  onEvent({kind: 'text', text});
  return {status: 'done', text, warnings: [], refused: [], changed: []};
}

/** Resolves some time after the signal, for a run that has not ended by then. */
function createStopped(signal: AbortSignal): {readonly late: Promise<undefined>; forget(): void} {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const late = new Promise<undefined>((resolve) => {
    onAbort = () => void (timer = setTimeout(() => resolve(undefined), GRACE_MS));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, {once: true});
  });
  return {
    late,
    forget() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Collects the events of a run, for one that never reaches its end. */
class Seen {
  #text = '';
  #isNext = false;
  readonly #warnings: Set<string>;
  readonly #refused: TurnEnd['refused'][number][] = [];
  readonly #changed = new Set<string>();

  constructor(warnings: readonly string[]) {
    this.#warnings = new Set(warnings);
  }

  add(event: AgentEvent): void {
    if (event.kind === 'text') {
      this.#text = this.#isNext ? event.text : this.#text + event.text;
      this.#isNext = false;
    } else if (event.kind === 'message') this.#isNext = true;
    else if (event.kind === 'note' && event.severity !== 'info') this.#warnings.add(event.text);
    else if (event.kind === 'result') {
      const {name: tool, status, input, error, changed = []} = event.call;
      for (const path of changed) this.#changed.add(path);
      if (status === 'refused') this.#refused.push({tool, id: event.id, input, reason: error?.message ?? ''});
    }
  }

  get end(): Omit<TurnEnd, 'status'> {
    return {text: this.#text, warnings: [], refused: this.#refused, changed: [...this.#changed]};
  }

  /** The end with every warning, which refused calls may turn into a failure. */
  complete(end: TurnEnd, failOnRefused: boolean): TurnEnd {
    const whole = {...end, warnings: [...new Set([...this.#warnings, ...end.warnings])]};
    if (!failOnRefused || end.status !== 'done' || end.refused.length === 0) return whole;
    const names = [...new Set(end.refused.map(({tool}) => tool))].join(', ');
    const count = end.refused.length === 1 ? 'A call was' : `${end.refused.length} calls were`;
    const message = `${count} refused: ${names}.`;
    const hint =
      'Allow what the task needs with a rule or --allowed-tools. gemini why <call> shows which rule decided.';
    return {...whole, status: 'refused', error: {code: 'CALLS_REFUSED', message, hint}};
  }
}
