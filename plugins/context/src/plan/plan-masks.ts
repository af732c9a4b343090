import type {ContextNode, NodeState} from '../contract.js';
import type {Graph} from '../graph/build-graph.js';
import type {Profile} from '../profile.js';

/** Outputs that the rest of a conversation stands on. */
const KEPT_TOOLS: ReadonlySet<string> = new Set([
  ...['activate_skill', 'ask_user', 'enter_plan_mode', 'exit_plan_mode', 'save_memory'],
  ...['write_todos', 'tracker_list_tasks', 'tracker_visualize'],
]);
/** A file that is read is asked for in parts: it is never shortened before the model has seen it. */
const NEVER_DISTILLED: ReadonlySet<string> = new Set(['read_file', 'read_many_files']);
/** Shorter output costs less than what would stand for it. */
const LEAST = 400;
/** APIs limit the bytes of a request: this much of a picture or a document weighs as much as a token. */
const BYTES_PER_TOKEN = 100;
/** With more bytes of them, a request counts as full. */
const MOST_MEDIA = 10 * 1024 * 1024;
/** About what stands for a masked output. */
export const STAND_TOKENS = 300;
/** Where a request is this full, masking does not wait: a summary would lose more. */
const FULL = 0.8;
/** Even then, this many requests pass between two changes, and this share of the gain is needed. */
const LEAST_PAUSE = 3;
const FULL_GAIN = 0.25;

export interface Plan {
  readonly states: ReadonlyMap<string, NodeState>;
  /** The requests before which something that was sent before was changed. */
  readonly steps: readonly number[];
  /** Output that is old enough, and still whole. */
  readonly due: number;
}

interface Limits {
  /** The size at which the history is compressed; 0 = never. */
  readonly compressAt: number;
}

/**
 * What each request has of the nodes. It follows from the history alone: the same history gives the same requests in a
 * continued conversation, and what is decided for one request never depends on later ones.
 */
export function planMasks(graph: Graph, profile: Profile, limits: Limits): Plan {
  return new Planning(graph, profile, limits).run();
}

class Planning {
  readonly #states = new Map<string, NodeState>();
  readonly #steps: number[] = [];
  readonly #outputs: readonly ContextNode[];
  /** Outputs that are part of a request so far. */
  #known = 0;
  /** What those weigh that are sent whole. */
  #whole = 0;
  #total = 0;
  /** Bytes of pictures and documents that are sent. */
  #media = 0;

  constructor(
    private readonly graph: Graph,
    private readonly profile: Profile,
    private readonly limits: Limits,
  ) {
    this.#outputs = graph.nodes.filter(isMaskable).sort((a, b) => a.request - b.request);
  }

  run(): Plan {
    const {nodes, requests} = this.graph;
    const sizes = new Map<number, number>();
    for (const {request, tokens} of nodes) sizes.set(request, (sizes.get(request) ?? 0) + tokens);
    for (let request = 0; request <= requests; request += 1) {
      this.#total += sizes.get(request) ?? 0;
      this.#arrive(request);
      if (this.#isDue(request)) this.#mask(request);
    }
    return {states: this.#states, steps: this.#steps, due: sum(this.#findOld(requests))};
  }

  /** New output becomes known, and what is too large is distilled. */
  #arrive(request: number): void {
    for (let node = this.#outputs[this.#known]; node && node.request <= request; node = this.#outputs[this.#known]) {
      this.#known += 1;
      const {id, tool = '', resultTokens, mediaBytes = 0} = node;
      if (resultTokens > this.profile.distill && !NEVER_DISTILLED.has(tool)) {
        const why = `It is larger than ${toText(this.profile.distill)} tokens.`;
        this.#states.set(id, {form: 'distilled', why, since: request});
        this.#total -= resultTokens - STAND_TOKENS;
      } else {
        this.#whole += weightOf(node);
        this.#media += mediaBytes;
      }
    }
  }

  #isDue(request: number): boolean {
    const {protect, gain, every} = this.profile;
    const pause = request - (this.#steps.at(-1) ?? -Infinity);
    if (this.#whole >= protect + gain && pause >= every) return true;
    return this.#isFull() && pause >= LEAST_PAUSE && this.#whole > protect;
  }

  #isFull(): boolean {
    const most = Math.min(this.limits.compressAt || Infinity, this.profile.compressAt ?? Infinity);
    return this.#total >= most * FULL || this.#media >= MOST_MEDIA;
  }

  #mask(request: number): void {
    const old = this.#findOld(request);
    const gained = sum(old);
    if (gained < this.profile.gain * (this.#isFull() ? FULL_GAIN : 1)) return;
    const why = `Newer tool output has more than ${toText(this.profile.protect)} tokens.`;
    for (const node of old) {
      this.#states.set(node.id, {form: 'masked', why, since: request});
      this.#whole -= weightOf(node);
      this.#media -= node.mediaBytes ?? 0;
      this.#total -= node.resultTokens - STAND_TOKENS;
    }
    this.#steps.push(request);
  }

  /** Whole output that is older than the newest that is protected. */
  #findOld(request: number): readonly ContextNode[] {
    const {protect, protectLatest} = this.profile;
    const old: ContextNode[] = [];
    let newer = 0;
    for (const node of this.#outputs.slice(0, this.#known).reverse()) {
      if (this.#states.has(node.id)) continue;
      const isProtected = newer < protect || (protectLatest && node.request === request);
      newer += weightOf(node);
      if (!isProtected) old.push(node);
    }
    return old;
  }
}

/** What a result takes of a request, in tokens: its text, or the bytes of its pictures and documents. */
export function weightOf({resultTokens, mediaBytes = 0}: ContextNode): number {
  return Math.max(resultTokens, Math.round(mediaBytes / BYTES_PER_TOKEN));
}

function isMaskable({kind, tool = '', result, resultTokens}: ContextNode): boolean {
  return kind === 'tool' && result !== undefined && resultTokens >= LEAST && !KEPT_TOOLS.has(tool);
}

/** Why a node that no step has changed is whole. */
export function explainWhole(node: ContextNode, {protect}: Profile, isDue: boolean): string {
  const {kind, tool = '', result, resultTokens} = node;
  if (kind === 'prompt') return 'Prompts are never changed.';
  if (kind !== 'tool') return 'Only tool output is masked.';
  if (!result) return 'It has no result yet.';
  if (KEPT_TOOLS.has(tool)) return `Output of ${tool} is never masked.`;
  if (resultTokens < LEAST) return 'It is short.';
  if (isDue) return 'It is old, but too little would be gained yet.';
  return protect === Infinity
    ? 'Masking is off (context.maskToolOutput).'
    : `It is among the newest ${toText(protect)} tokens of tool output.`;
}

function sum(nodes: readonly ContextNode[]): number {
  return nodes.reduce((total, node) => total + weightOf(node), 0);
}

/** A number as people read it. */
export function toText(tokens: number): string {
  return Math.round(tokens).toLocaleString('en');
}
