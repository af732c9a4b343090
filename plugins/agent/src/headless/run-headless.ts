import type {Agent, AgentEvent, TurnEnd} from '../contract.js';
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

interface Run {
  readonly agent: Agent;
  readonly report: Report;
  readonly sessionId: string;
  readonly prompt: string;
  readonly answer?: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  exitCodeOf(code: string): number;
}

/** Deals with one prompt and reports it; gives the exit code. */
export async function runHeadless({agent, report, sessionId, prompt, answer, signal, exitCodeOf}: Run): Promise<number> {
  const started = performance.now();
  report.start({sessionId, prompt, model: (await agent.model()).chosen});
  const onEvent = (event: AgentEvent): void => report.event(event);
  const end: TurnEnd = await agent.send({text: prompt, ...(answer ? {answer} : {})}, {signal, onEvent});
  const exit = end.error ? exitCodeOf(end.error.code) : 0;
  report.finish({end, stats: await agent.stats(), ms: performance.now() - started, exit});
  return exit;
}
