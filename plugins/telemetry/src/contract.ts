import type {EndedCall, SessionInfo} from '@gemini-kernel/kernel';
import type {EndedPrompt, EndedRequest, Entry} from '@gemini-kernel/plugin-agent/contract';
import type {EndedHook} from '@gemini-kernel/plugin-hooks/contract';

/** Something that happened in a session, as its moment tells it. */
export type Happened =
  | {readonly kind: 'opened' | 'closed'}
  | {readonly kind: 'prompt'; readonly prompt: string}
  | {readonly kind: 'entry'; readonly entry: Entry}
  | {readonly kind: 'compressed'; readonly entries: number}
  | {readonly kind: 'request'; readonly ended: EndedRequest}
  | {readonly kind: 'call'; readonly ended: EndedCall}
  | {readonly kind: 'lines'; readonly tool: string; readonly added: number; readonly removed: number}
  | {readonly kind: 'hook'; readonly ended: EndedHook}
  | {readonly kind: 'ended'; readonly ended: EndedPrompt};

/** A span of work that no session does, such as a task of a fleet. JSON. */
export interface WorkSpan {
  /** The same text is the same trace, on every machine. */
  readonly trace: string;
  /** The same text is the same span of that trace. */
  readonly id: string;
  /** The `id` of the span that it is part of. */
  readonly parent?: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
  /** Nothing of what a person or a model wrote: they are recorded whatever `logPrompts` says. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed, as a code. */
  readonly error?: string;
}

/** A measurement of work. */
export interface WorkMeasure {
  readonly name:
    | 'gemini.fleet.tasks'
    | 'gemini.fleet.attempt.count'
    | 'gemini.fleet.token.usage'
    | 'gemini.fleet.cost'
    | 'gemini.fleet.queue.age'
    | 'gemini.fleet.lease.lost';
  readonly value: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** Whether telemetry is on here, and what became of it. JSON. */
export interface TelemetryStatus {
  readonly isOn: boolean;
  /** An address or a file. */
  readonly to?: string;
  readonly protocol?: 'grpc' | 'http' | 'file';
  /** Of Google Cloud, when records go there. */
  readonly project?: string;
  /** Whether the text of prompts and the input of tools is included. */
  readonly withPrompts: boolean;
  /** Whether spans have the text of requests and answers. */
  readonly withTraces: boolean;
  /** The address that Prometheus can ask. */
  readonly prometheus?: string;
  /** Of this process. */
  readonly sent: number;
  readonly waiting: number;
  readonly dropped: number;
  /** Why the last batch did not arrive. */
  readonly failure?: string;
  /** What in the settings does not count, and why. */
  readonly faults: readonly string[];
}

/** Records what happens in sessions of this place and sends it where the person wants it. */
export interface Telemetry {
  /** Does nothing unless telemetry is on. Waits only when the session ends, and not for an address that is down. */
  tell(session: SessionInfo, happened: Happened): Promise<void>;
  /**
   * The `traceparent` for requests of a call, or of the prompt that runs in a session; undefined without a trace.
   */
  parentFor(session: string, call?: string): Promise<string | undefined>;
  /** The `traceparent` for what a span of work starts; undefined while telemetry is off. */
  parentOfWork(trace: string, id: string): Promise<string | undefined>;
  /** Does nothing unless telemetry is on, and never waits for a collector. */
  tellWork(spans: readonly WorkSpan[], measures: readonly WorkMeasure[]): Promise<void>;
  status(): Promise<TelemetryStatus>;
  /** Sends one record: undefined when it arrived, else why not. */
  check(): Promise<string | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    telemetry: Telemetry;
  }
}
