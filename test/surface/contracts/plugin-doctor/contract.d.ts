import type { EndedCall } from '@gemini-kernel/kernel';
export interface CallNote {
  readonly plugin: string;
  readonly at: string;
  readonly name: string;
  readonly said: string;
  readonly failure?: 'open' | 'closed';
  readonly ms: number;
}
export interface KeptCall extends EndedCall {
  readonly cwd: string;
  readonly notes?: readonly CallNote[];
}
export interface Journal {
  record(call: EndedCall): Promise<void>;
  note(call: string, note: CallNote): Promise<void>;
  find(id: string): Promise<KeptCall | undefined>;
  recent(count: number): Promise<readonly KeptCall[]>;
}
export interface GuardProof {
  readonly name: string;
  readonly details: string;
  readonly state: 'proven' | 'unproven' | 'down' | 'off';
  readonly reason: string;
}
export interface GuardSource {
  prove(signal: AbortSignal): Promise<readonly GuardProof[]>;
}
export interface PluginProcesses {
  readonly plugin: string;
  readonly state: 'running' | 'idle' | 'left out' | 'none';
  readonly pid?: number;
  readonly memory?: number;
  readonly starts: number;
  readonly deaths: number;
  readonly lastDeath?: string;
  readonly calls: number;
  readonly busyMs: number;
  readonly peakBytes?: number;
  readonly refused: readonly string[];
}
export interface ProcessSource {
  list(): Promise<readonly PluginProcesses[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    journal: Journal;
    [guards: `guards:${string}`]: GuardSource;
    [processes: `processes:${string}`]: ProcessSource;
  }
}
