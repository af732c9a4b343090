import {messageOf} from '@gemini-kernel/kernel';
import type {Entry, HistoryFit, HistoryToFit, ShorterPiece} from '@gemini-kernel/plugin-agent/contract';
import type {ContextNode, ContextReport, HistoryGraph} from './contract.js';
import {describeGraph} from './describe-graph.js';
import {buildGraph} from './graph/build-graph.js';
import {piecesOf} from './graph/pieces.js';
import {indexOf} from './plan/index-outputs.js';
import {planMasks, type Plan} from './plan/plan-masks.js';
import {shortenNode, type Shortened} from './plan/shorten-node.js';
import type {Profile} from './profile.js';
import type {SnapshotAhead} from './snapshot/snapshot-ahead.js';
import type {OutputFiles} from './store/output-files.js';

export interface GraphParts {
  profile(compressAt: number): Promise<Profile>;
  /** The folder of this session's files; made, and readable by tools, when it is first asked for. */
  files(): Promise<OutputFiles>;
  /** The files of a session, which may not be there. */
  place(session?: string): Promise<OutputFiles>;
  readonly snapshot: SnapshotAhead;
  /** Says once that nothing can be kept. */
  tell(sentence: string): void;
}

/** The graph of one conversation. It has no state of its own: everything follows from the history. */
export class LiveGraph implements HistoryGraph {
  readonly #shortened = new Map<string, Shortened>();

  constructor(private readonly parts: GraphParts) {}

  async fit(history: HistoryToFit): Promise<HistoryFit | undefined> {
    const {entries, sizes, compressAt} = history;
    const profile = await this.parts.profile(compressAt);
    const graph = buildGraph(entries, sizes);
    const plan = planMasks(graph, profile, {compressAt});
    this.parts.snapshot.follow(graph, entries, profile);
    const shorter = plan.states.size > 0 ? await this.#shorten(graph.nodes, entries, plan, profile) : [];
    if (isSummarised(entries)) await this.#open();
    return {shorter, ...(profile.compressAt === undefined ? {} : {compressAt: profile.compressAt})};
  }

  async compress(entries: readonly Entry[]): ReturnType<HistoryGraph['compress']> {
    const profile = await this.parts.profile(0);
    if (profile.name === 'off') return undefined;
    const addition = await this.#index(entries);
    const summary = this.parts.snapshot.take(entries);
    return {...(summary === undefined ? {} : {summary}), ...(addition === undefined ? {} : {addition})};
  }

  async describe(history: HistoryToFit, session?: string): Promise<ContextReport> {
    const profile = await this.parts.profile(history.compressAt);
    const graph = buildGraph(history.entries, history.sizes);
    const plan = planMasks(graph, profile, history);
    const files = await this.parts.place(session);
    return describeGraph({...{graph, plan, profile}, entries: history.entries, files});
  }

  /** What cannot be kept in a file stays whole: whatever a request leaves out can be read. */
  async #shorten(
    nodes: readonly ContextNode[],
    entries: readonly Entry[],
    plan: Plan,
    profile: Profile,
  ): Promise<readonly ShorterPiece[]> {
    const files = await this.#open();
    if (!files) return [];
    const pieces = piecesOf(entries);
    const shorter: ShorterPiece[] = [];
    for (const node of nodes) {
      const state = plan.states.get(node.id);
      if (!state) continue;
      const key = `${node.id} ${state.form} ${node.resultTokens}`;
      const made = this.#shortened.get(key) ?? shortenNode(node, state, {pieces, files, profile});
      this.#shortened.set(key, made);
      try {
        await files.keep(made.files);
        shorter.push(...made.shorter);
      } catch (error) {
        this.#sayWhole(error);
      }
    }
    return shorter;
  }

  async #index(entries: readonly Entry[]): Promise<string | undefined> {
    const files = await this.#open();
    if (!files) return undefined;
    const {text, kept} = indexOf(entries, files);
    if (text === undefined) return undefined;
    try {
      await files.keep(kept);
      return text;
    } catch (error) {
      this.#sayWhole(error);
      return undefined;
    }
  }

  async #open(): Promise<OutputFiles | undefined> {
    try {
      return await this.parts.files();
    } catch (error) {
      this.#sayWhole(error);
      return undefined;
    }
  }

  #sayWhole(error: unknown): void {
    this.parts.tell(`Tool output that would leave requests cannot be kept in files, so it stays: ${messageOf(error)}`);
  }
}

/** Whether a summary may name files of this session. */
function isSummarised(entries: readonly Entry[]): boolean {
  return entries.slice(0, 3).some(({origin, message: {pieces}}) => {
    const [first] = pieces;
    return origin === 'agent' && first?.kind === 'text' && first.text.startsWith('<summary>');
  });
}
