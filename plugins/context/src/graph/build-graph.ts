import type {Part} from '@gemini-kernel/kernel';
import type {Entry, Piece, PieceSizes} from '@gemini-kernel/plugin-agent/contract';
import type {ContextNode, NodeKind} from '../contract.js';

/** A node while it is built: a call gets its result later. */
type Draft = {-readonly [K in keyof ContextNode]: ContextNode[K]};

/** The nodes of a history in order, and the number of requests that it took. */
export interface Graph {
  readonly nodes: readonly ContextNode[];
  readonly requests: number;
}

/**
 * Reads a history as a graph. Each piece of a message is a node, but a call and its result are one: they can only be
 * changed together.
 */
export function buildGraph(entries: readonly Entry[], sizes: PieceSizes): Graph {
  const nodes: Draft[] = [];
  const open = new Map<string, Draft>();
  let requests = 0;
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'note') continue;
    for (const [piece, content] of entry.message.pieces.entries()) {
      const tokens = sizes[at]?.[piece] ?? 0;
      const call = content.kind === 'result' ? open.get(content.id) : undefined;
      if (content.kind === 'result' && call) {
        open.delete(content.id);
        Object.assign(call, {
          result: {entry: entry.id, piece},
          request: requests,
          tokens: call.tokens + tokens,
          resultTokens: tokens,
          failed: content.failed,
          ...mediaOf(content.output),
        });
        continue;
      }
      const node = draft(entry, piece, {content, tokens, requests});
      nodes.push(node);
      if (content.kind === 'call') open.set(content.id, node);
    }
    if (entry.kind === 'model') requests += 1;
  }
  return {nodes, requests};
}

function mediaOf(output: readonly Part[]): Pick<ContextNode, 'mediaBytes'> {
  const mediaBytes = output.reduce((sum, part) => sum + ('text' in part ? 0 : part.inlineData.data.length), 0);
  return mediaBytes === 0 ? {} : {mediaBytes};
}

interface Found {
  readonly content: Piece;
  readonly tokens: number;
  readonly requests: number;
}

function draft(entry: Entry, piece: number, {content, tokens, requests}: Found): Draft {
  return {
    id: `${entry.id}.${piece}`,
    kind: kindOf(entry, content),
    entry: entry.id,
    piece,
    // What the model says is part of the request that follows.
    request: entry.kind === 'model' ? requests + 1 : requests,
    tokens,
    resultTokens: 0,
    ...(content.kind === 'call' ? {tool: content.name, callId: content.id} : {}),
  };
}

function kindOf({kind, origin}: Entry, content: Piece): NodeKind {
  if (content.kind === 'call') return 'tool';
  if (kind === 'model') return content.kind === 'thought' ? 'thought' : 'answer';
  if (origin === 'agent') return content.kind === 'text' && content.text.startsWith('<summary>') ? 'snapshot' : 'event';
  // In the record of another program, what people wrote carries no mark.
  return content.kind === 'result' ? 'event' : 'prompt';
}
