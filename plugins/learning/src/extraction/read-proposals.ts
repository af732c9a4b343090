import type {Piece} from '@gemini-kernel/plugin-agent/contract';
import type {InboxItem} from '../contract.js';

/** What a model proposed, checked for its form only. */
export type Proposal = {readonly sessions: readonly string[]} & (
  | {readonly kind: 'skill'; readonly name: string; readonly description: string; readonly body: string}
  | {readonly kind: 'skill-patch'; readonly name: string; readonly from: string; readonly to: string}
  | {readonly kind: 'memory-patch'; readonly scope: 'private' | 'global'; readonly text: string}
);

/** A proposal that cannot be one, with the reason. */
export interface Refused {
  readonly kind: InboxItem['kind'];
  readonly reason: string;
  readonly input: unknown;
}

const KINDS: Readonly<Record<string, InboxItem['kind']>> = {
  propose_skill: 'skill',
  propose_skill_change: 'skill-patch',
  propose_memory: 'memory-patch',
};
const MOST: Readonly<Record<InboxItem['kind'], number>> = {skill: 3, 'skill-patch': 3, 'memory-patch': 5};
const LONGEST = {name: 64, description: 300, body: 20_000, text: 600, change: 8000};

/** Reads the calls of an answer. More than a run may make are refused. */
export function readProposals(
  pieces: readonly Piece[],
  known: ReadonlySet<string>,
): {readonly proposals: readonly Proposal[]; readonly refused: readonly Refused[]} {
  const proposals: Proposal[] = [];
  const refused: Refused[] = [];
  for (const piece of pieces) {
    const kind = piece.kind === 'call' ? KINDS[piece.name] : undefined;
    if (piece.kind !== 'call' || kind === undefined) continue;
    const isFull = proposals.filter((one) => one.kind === kind).length >= MOST[kind];
    const found = isFull ? `One run proposes at most ${MOST[kind]} of this kind.` : read(kind, piece.input, known);
    if (typeof found === 'string') refused.push({kind, reason: found, input: piece.input});
    else proposals.push(found);
  }
  return {proposals, refused};
}

function read(kind: InboxItem['kind'], given: unknown, known: ReadonlySet<string>): Proposal | string {
  const input = (given ?? {}) as Readonly<Record<string, unknown>>;
  const sessions = readSessions(input['sessions'], known);
  if (typeof sessions === 'string') return sessions;
  const texts = new Texts(input);
  if (kind === 'memory-patch') {
    const {scope} = input;
    if (scope !== 'private' && scope !== 'global') return 'Its scope is neither private nor global.';
    const text = texts.read('text', LONGEST.text);
    return texts.fault ?? {kind, scope, text, sessions};
  }
  const name = texts.line('name', LONGEST.name);
  if (kind === 'skill') {
    const [description, body] = [texts.line('description', LONGEST.description), texts.read('body', LONGEST.body)];
    return texts.fault ?? {kind, name, description, body, sessions};
  }
  const [from, to] = [texts.read('old_text', LONGEST.change), texts.read('new_text', LONGEST.change)];
  return texts.fault ?? {kind, name, from, to, sessions};
}

/** A proposal without evidence, or with evidence that was not given, is an invention. */
function readSessions(value: unknown, known: ReadonlySet<string>): readonly string[] | string {
  const ids: readonly unknown[] = Array.isArray(value) ? value : [];
  if (ids.length === 0) return 'It does not name the sessions that show it.';
  const odd = ids.find((id) => typeof id !== 'string' || !known.has(id));
  return odd === undefined
    ? [...new Set(ids as readonly string[])]
    : `It names a session that was not given: ${JSON.stringify(odd)}.`;
}

/** Reads texts of an input, and keeps what is wrong with the first that is. */
class Texts {
  fault: string | undefined;

  constructor(private readonly input: Readonly<Record<string, unknown>>) {}

  read(key: string, most: number): string {
    const value = this.input[key];
    if (typeof value !== 'string' || value.trim() === '') this.fault ??= `It has no ${key}.`;
    else if (value.length > most) this.fault ??= `Its ${key} has ${value.length} characters; at most ${most} are kept.`;
    else return value;
    return '';
  }

  line(key: string, most: number): string {
    const value = this.read(key, most);
    if (/[\r\n]/.test(value)) this.fault ??= `Its ${key} has more than one line.`;
    return value;
  }
}
