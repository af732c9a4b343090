import type {Entry, Piece} from '@gemini-kernel/plugin-agent/contract';

type Result = Extract<Piece, {kind: 'result'}>;

/**
 * The history as a model accepts it: every call has one result in the next user message, and every result has its
 * call. A call without a result gets the one in its record, or a note that its result is unknown.
 */
export function completeHistory(entries: readonly Entry[]): {
  readonly entries: readonly Entry[];
  readonly unanswered: number;
} {
  const complete: Entry[] = [];
  let open: readonly Result[] = [];
  let unanswered = 0;
  let asked: Entry | undefined;
  const close = (): void => {
    if (asked && open.length > 0)
      complete.push({
        id: `${asked.id}_response`,
        time: asked.time,
        kind: 'user',
        origin: 'tools',
        message: {role: 'user', pieces: open},
      });
    unanswered += open.filter(({output}) => output === NOT_KNOWN).length;
    open = [];
  };
  for (const entry of entries) {
    if (entry.kind === 'note') {
      complete.push(entry);
      continue;
    }
    if (entry.kind === 'user') {
      const kept = keepAnswered(entry, open);
      open = open.filter(({id}) => !kept.answered.has(id));
      const rest = open;
      open = [];
      unanswered += rest.filter(({output}) => output === NOT_KNOWN).length;
      const {pieces: given} = entry.message;
      const pieces = [...rest, ...kept.pieces];
      const isSame = rest.length === 0 && kept.pieces.length === given.length;
      // When nothing is left, it only answered calls that are missing.
      if (pieces.length > 0 || given.length === 0)
        complete.push(isSame ? entry : {...entry, message: {...entry.message, pieces}});
      continue;
    }
    close();
    complete.push(entry);
    asked = entry;
    open = entry.message.pieces.flatMap((piece) => (piece.kind === 'call' ? [resultOf(piece, entry)] : []));
  }
  close();
  return {entries: complete, unanswered};
}

const NOT_KNOWN = Object.freeze([{text: 'The program ended before this call finished. Its changes are unknown.'}]);

function resultOf({id, name}: Extract<Piece, {kind: 'call'}>, {calls = []}: Entry): Result {
  const record = calls.find((call) => call.id === id);
  return {
    kind: 'result',
    id,
    name,
    output: record && record.output.length > 0 ? record.output : NOT_KNOWN,
    failed: record?.status !== 'done',
  };
}

function keepAnswered(
  {message}: Entry,
  open: readonly Result[],
): {readonly pieces: readonly Piece[]; readonly answered: ReadonlySet<string>} {
  const answered = new Set<string>();
  const pieces = message.pieces.filter((piece) => {
    if (piece.kind !== 'result') return true;
    const isDue = open.some(({id}) => id === piece.id) && !answered.has(piece.id);
    if (isDue) answered.add(piece.id);
    return isDue;
  });
  return {pieces, answered};
}
