import type {ToolOutcome} from '@gemini-kernel/kernel/host';

export type {ToolOutcome} from '@gemini-kernel/kernel/host';

/** What calls tools: a session, or a call that runs. */
export interface SessionTools {
  call(tool: string, input: unknown): Promise<ToolOutcome>;
}
