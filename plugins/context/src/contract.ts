import type {Entry, HistoryFit, HistoryToFit} from '@gemini-kernel/plugin-agent/contract';

/**
 * What a node is: a prompt of the person, something that the agent added, a thought, a call with its result, an answer,
 * or a summary of what came before.
 */
export type NodeKind = 'prompt' | 'event' | 'thought' | 'tool' | 'answer' | 'snapshot';

/** One node of a conversation. Its id follows its entry, so it stays the same in a continued conversation. */
export interface ContextNode {
  readonly id: string;
  readonly kind: NodeKind;
  /** The entry and the piece it begins with; for a call, `result` is where it is answered. */
  readonly entry: string;
  readonly piece: number;
  readonly result?: {readonly entry: string; readonly piece: number};
  /** The first request that contains it whole, from 0. */
  readonly request: number;
  /** Estimated tokens: of a call and its result together, and of the result alone. */
  readonly tokens: number;
  readonly resultTokens: number;
  /** Bytes of pictures and documents in the result, as requests carry them. */
  readonly mediaBytes?: number;
  /** For a call. */
  readonly tool?: string;
  readonly callId?: string;
  readonly failed?: boolean;
}

/** What a request has of a node. */
export interface NodeState {
  /**
   * `whole`; `masked`: its beginning, its end and the file that has the whole; `distilled`: the same from the first
   * request on, because it was large.
   */
  readonly form: 'whole' | 'masked' | 'distilled';
  /** Why, as a sentence. */
  readonly why: string;
  /** The request since which it is so. */
  readonly since?: number;
}

/** A node as a request has it. */
export interface DescribedNode extends ContextNode, NodeState {
  /** Estimated tokens in the request. */
  readonly sent: number;
  /** The beginning of its text, in one line. */
  readonly label: string;
  /** Where the whole output is, if the request has not. */
  readonly file?: string;
  /** The id of the node that takes its place in the request: it abstracts this one. */
  readonly stand?: string;
}

/** What the next request of a conversation contains. */
export interface ContextReport {
  readonly profile: string;
  readonly nodes: readonly DescribedNode[];
  /** Requests so far. */
  readonly requests: number;
  /** Estimated tokens of the conversation in the request, and what it leaves out. */
  readonly sent: number;
  readonly saved: number;
  /** When old tool output will be masked next, as a sentence. */
  readonly next: string;
}

/** The history as a graph, and what requests have of it. */
export interface HistoryGraph {
  fit(history: HistoryToFit): Promise<HistoryFit | undefined>;
  /** Keeps tool output that a summary replaces, and says where. */
  compress(entries: readonly Entry[]): Promise<{readonly summary?: string; readonly addition?: string} | undefined>;
  /** Of the session itself, or of the recorded one with this id. */
  describe(history: HistoryToFit, session?: string): Promise<ContextReport>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'history-graph': HistoryGraph;
  }
}
