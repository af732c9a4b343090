import type { EndedCall, SessionInfo } from '@gemini-kernel/kernel';
import type { EndedPrompt, EndedRequest, Entry } from '@gemini-kernel/plugin-agent/contract';
import type { EndedHook } from '@gemini-kernel/plugin-hooks/contract';
export type Happened =
  | {
      readonly kind: 'opened' | 'closed';
    }
  | {
      readonly kind: 'prompt';
      readonly prompt: string;
    }
  | {
      readonly kind: 'entry';
      readonly entry: Entry;
    }
  | {
      readonly kind: 'compressed';
      readonly entries: number;
    }
  | {
      readonly kind: 'request';
      readonly ended: EndedRequest;
    }
  | {
      readonly kind: 'call';
      readonly ended: EndedCall;
    }
  | {
      readonly kind: 'lines';
      readonly tool: string;
      readonly added: number;
      readonly removed: number;
    }
  | {
      readonly kind: 'hook';
      readonly ended: EndedHook;
    }
  | {
      readonly kind: 'ended';
      readonly ended: EndedPrompt;
    };
export interface WorkSpan {
  readonly trace: string;
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  readonly began: number;
  readonly ended: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly error?: string;
}
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
export interface TelemetryStatus {
  readonly isOn: boolean;
  readonly to?: string;
  readonly protocol?: 'grpc' | 'http' | 'file';
  readonly project?: string;
  readonly withPrompts: boolean;
  readonly withTraces: boolean;
  readonly prometheus?: string;
  readonly sent: number;
  readonly waiting: number;
  readonly dropped: number;
  readonly failure?: string;
  readonly faults: readonly string[];
}
export interface Telemetry {
  tell(session: SessionInfo, happened: Happened): Promise<void>;
  parentFor(session: string, call?: string): Promise<string | undefined>;
  parentOfWork(trace: string, id: string): Promise<string | undefined>;
  tellWork(spans: readonly WorkSpan[], measures: readonly WorkMeasure[]): Promise<void>;
  status(): Promise<TelemetryStatus>;
  check(): Promise<string | undefined>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    telemetry: Telemetry;
  }
}
