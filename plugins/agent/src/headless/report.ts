import {quoteName} from '@gemini-kernel/command/visible';
import type {SentNotice} from '@gemini-kernel/kernel';
import type {AgentEvent, AgentStats, CallRecord, TurnEnd} from '../contract.js';

/** Where a headless run writes. */
export interface Streams {
  out(text: string): void;
  /** A line for people, on standard error. */
  err(line: string): void;
}

/** What is known before the first event. */
export interface Start {
  readonly sessionId: string;
  readonly model: string;
  readonly prompt: string;
  /** What people have already seen. */
  readonly notices: readonly SentNotice[];
}

export interface Finish {
  readonly sessionId: string;
  /** Where the run took place. */
  readonly directory: string;
  readonly end: TurnEnd;
  readonly stats: AgentStats;
  readonly ms: number;
  /** The exit code of the program. */
  readonly exit: number;
}

export interface Failure {
  readonly sessionId: string;
  readonly error: NonNullable<TurnEnd['error']>;
  readonly exit: number;
}

/** One output format of a headless run. */
export interface Report {
  start(start: Start): void;
  event(event: AgentEvent): void;
  finish(finish: Finish): void;
  /** The run could not start. */
  fail(failure: Failure): void;
}

/** A line on standard error for events that people should know of. */
export function describeEvent(event: AgentEvent): string | undefined {
  switch (event.kind) {
    case 'waiting':
      return (
        `${event.failure.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s (${event.attempt} of ` +
        `${event.of}).`
      );
    case 'fallback':
      return `${event.failure.message} ${event.to} replaces ${event.from} from here on.`;
    case 'compressed':
      return `The conversation was compressed from about ${event.before} to ${event.after} tokens.`;
    case 'note':
      return describeNote(event);
    case 'result':
      return describeCallEnd(event.call);
    default:
      return undefined;
  }
}

function describeNote({severity, code, text}: AgentEvent & {kind: 'note'}): string | undefined {
  if (severity === 'info') return undefined;
  return code === undefined ? text : `${severity === 'error' ? 'Error' : 'Warning'}: ${text}`;
}

function describeCallEnd({name, status, error}: CallRecord): string | undefined {
  if (status === 'refused') return `${quoteName(name)} was refused: ${error?.message ?? ''}`;
  if (status === 'failed') return `${quoteName(name)} failed: ${error?.message ?? ''}`;
  return undefined;
}
