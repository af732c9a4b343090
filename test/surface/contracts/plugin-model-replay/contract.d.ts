import type { ModelEvent } from '@gemini-kernel/plugin-agent/contract';
export interface Recordings {
  next(name: string): Promise<readonly ModelEvent[] | undefined>;
  given(name: string): Promise<number>;
  wanted(): Promise<{
    readonly replay?: string;
    readonly record?: string;
  }>;
  keep(model: string, event: ModelEvent): Promise<void>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    recordings: Recordings;
  }
}
