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
export interface TelemetryStatus {
  readonly isOn: boolean;
  readonly to?: string;
  readonly protocol?: 'grpc' | 'http' | 'file';
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
  status(): Promise<TelemetryStatus>;
  check(): Promise<string | undefined>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    telemetry: Telemetry;
  }
}
