import type {Entry, Piece} from '@gemini-kernel/plugin-agent/contract';
import type {ContextNode, ContextReport, DescribedNode} from './contract.js';
import type {Graph} from './graph/build-graph.js';
import {piecesOf} from './graph/pieces.js';
import {explainWhole, STAND_TOKENS, toText, weightOf, type Plan} from './plan/plan-masks.js';
import {outputOf} from './plan/shorten-node.js';
import type {Profile} from './profile.js';
import type {OutputFiles} from './store/output-files.js';

interface Described {
  readonly graph: Graph;
  readonly plan: Plan;
  readonly profile: Profile;
  readonly entries: readonly Entry[];
  readonly files: OutputFiles;
}

const WIDEST = 80;

/** What the next request has of a history, node by node, each with the reason. Writes nothing. */
export function describeGraph({graph, plan, profile, entries, files}: Described): ContextReport {
  const pieces = piecesOf(entries);
  const isDue = plan.due > 0;
  const nodes = graph.nodes.map((node): DescribedNode => {
    const label = labelOf(pieces.get(node.entry)?.[node.piece]);
    const state = plan.states.get(node.id);
    if (!state) {
      const why = explainWhole(node, profile, isDue && isOlder(node, graph, plan, profile));
      return {...node, form: 'whole', why, sent: node.tokens, label};
    }
    const [file] = files.plan(node.tool ?? 'tool', outputOf(node, pieces));
    const sent = node.tokens - node.resultTokens + STAND_TOKENS;
    return {...node, ...state, sent, label, stand: `${node.id}~${state.form}`, ...(file ? {file: file.path} : {})};
  });
  const sent = nodes.reduce((sum, node) => sum + node.sent, 0);
  const saved = nodes.reduce((sum, node) => sum + node.tokens - node.sent, 0);
  return {profile: profile.name, nodes, requests: graph.requests, sent, saved, next: sayNext(plan, profile, graph)};
}

/** Whether newer whole output has more than is protected. */
function isOlder(node: ContextNode, {nodes}: Graph, {states}: Plan, {protect}: Profile): boolean {
  const newer = nodes
    .slice(nodes.indexOf(node) + 1)
    .reduce((sum, one) => sum + (states.has(one.id) ? 0 : weightOf(one)), 0);
  return newer >= protect;
}

function sayNext({due, steps}: Plan, {gain, every, protect}: Profile, {requests}: Graph): string {
  if (protect === Infinity) return 'Nothing is masked: context.maskToolOutput is off.';
  const wait = Math.max(0, (steps.at(-1) ?? -Infinity) + every - requests);
  if (due < gain) return `Masks when ${toText(gain)} tokens of old tool output can go; ${toText(due)} could go now.`;
  return wait > 0
    ? `Masks ${toText(due)} tokens in ${wait} requests: each step costs the model's cache.`
    : `Masks ${toText(due)} tokens with the next request.`;
}

/** The beginning of a piece, in one line. */
function labelOf(piece: Piece | undefined): string {
  if (piece?.kind === 'call') return oneLine(`${piece.name} ${JSON.stringify(piece.input ?? {})}`);
  if (piece?.kind === 'text' || piece?.kind === 'thought') return oneLine(piece.text);
  if (piece?.kind === 'data') return piece.mimeType;
  return piece?.kind === 'result' ? `${piece.name} (its call is missing)` : '';
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}
