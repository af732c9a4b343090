import type { Entry, HistoryFit, HistoryToFit } from '@gemini-kernel/plugin-agent/contract';
export type NodeKind = 'prompt' | 'event' | 'thought' | 'tool' | 'answer' | 'snapshot';
export interface ContextNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly entry: string;
  readonly piece: number;
  readonly result?: {
    readonly entry: string;
    readonly piece: number;
  };
  readonly request: number;
  readonly tokens: number;
  readonly resultTokens: number;
  readonly mediaBytes?: number;
  readonly tool?: string;
  readonly callId?: string;
  readonly failed?: boolean;
}
export interface NodeState {
  readonly form: 'whole' | 'masked' | 'distilled';
  readonly why: string;
  readonly since?: number;
}
export interface DescribedNode extends ContextNode, NodeState {
  readonly sent: number;
  readonly label: string;
  readonly file?: string;
  readonly stand?: string;
}
export interface ContextReport {
  readonly profile: string;
  readonly nodes: readonly DescribedNode[];
  readonly requests: number;
  readonly sent: number;
  readonly saved: number;
  readonly next: string;
}
export interface HistoryGraph {
  fit(history: HistoryToFit): Promise<HistoryFit | undefined>;
  compress(entries: readonly Entry[]): Promise<
    | {
        readonly summary?: string;
        readonly addition?: string;
      }
    | undefined
  >;
  describe(history: HistoryToFit, session?: string): Promise<ContextReport>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    'history-graph': HistoryGraph;
  }
}
