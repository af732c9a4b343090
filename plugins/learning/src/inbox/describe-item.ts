import type {InboxItem} from '../contract.js';

/** Whether a proposal can be applied as it is, as a sentence. */
export function describeState({id, fault}: InboxItem): string {
  return fault === undefined ? `${id} can be applied.` : `${id} cannot be applied: ${fault}`;
}

/** What it would change, and where it comes from, as lines. */
export function describeItem(item: InboxItem): string {
  const {kind, targets, sessions, written} = item;
  return [
    `${kind}, written ${written.slice(0, 16).replace('T', ' ')}`,
    ...targets.map((target) => `${kind === 'skill' ? 'makes' : 'changes'} ${target}`),
    sessions.length > 0 ? `learned in ${sessions.join(', ')}` : 'does not say where it was learned',
    describeState(item),
  ].join('\n');
}
