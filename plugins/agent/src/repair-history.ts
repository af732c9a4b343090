import {callsOf} from './entry-text.js';
import type {Entry, Piece} from './contract.js';

const NEVER_RUN = 'This call has no result, because the program ended first. What it changed is unknown.';

/** The entries of a continued conversation, with a result for each call. */
export function repairHistory(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry, index) => {
    if (entry.kind !== 'model') return [entry];
    const next = firstAnswer(entries, index + 1);
    const answered = new Set(
      next?.kind === 'user' ? next.message.pieces.flatMap((piece) => (piece.kind === 'result' ? [piece.id] : [])) : [],
    );
    const open = callsOf(entry.message).filter(({id}) => !answered.has(id));
    if (open.length === 0) return [entry];
    const pieces = open.map(({id, name}): Piece => ({
      kind: 'result',
      id,
      name,
      output: [{text: NEVER_RUN}],
      failed: true,
    }));
    return [
      entry,
      {id: `${entry.id}-unanswered`, time: entry.time, kind: 'user', origin: 'tools', message: {role: 'user', pieces}},
    ];
  });
}

/** The entry that would contain the results: the first from `start` on that is not a note. */
function firstAnswer(entries: readonly Entry[], start: number): Entry | undefined {
  let at = start;
  while (entries[at]?.kind === 'note') at += 1;
  return entries[at];
}
