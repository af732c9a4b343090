import type { EndedCall } from '@gemini-kernel/kernel';
export interface KeptCall extends EndedCall {
  readonly cwd: string;
}
export interface Journal {
  record(call: EndedCall): Promise<void>;
  find(id: string): Promise<KeptCall | undefined>;
  recent(count: number): Promise<readonly KeptCall[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    journal: Journal;
  }
}
