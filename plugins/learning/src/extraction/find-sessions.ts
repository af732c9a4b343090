import {setImmediate as pause} from 'node:timers/promises';
import type {Sessions, StoredSession} from '@gemini-kernel/plugin-sessions/contract';
import {findSignals} from '../reflect/find-signals.js';
import type {ExtractionState} from './extraction-state.js';

/** As in Gemini CLI: one that is still used, or that said little, shows nothing yet. */
const IDLE_MS = 3 * 3_600_000;
const LEAST_PROMPTS = 10;
export const MOST_SESSIONS = 10;
const LEAST_CALLS = 3;
/** Reading is bounded too: the others have their turn in the next run. */
const MOST_READ = 40;

export interface FoundSessions {
  /** Newest first. */
  readonly candidates: readonly StoredSession[];
  /** With too little in them to learn from: they are noted, and never looked at again. */
  readonly low: readonly StoredSession[];
}

interface FindingOptions {
  readonly state: ExtractionState;
  /** The time. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** The sessions of the project that nothing was learned from yet. Other work has its turn between two of them. */
export async function findSessions(
  sessions: Pick<Sessions, 'list' | 'open'>,
  {state, now, signal}: FindingOptions,
): Promise<FoundSessions> {
  const {sessions: all} = await sessions.list();
  const idle = all
    .filter(({updated, isCurrent}) => !isCurrent && now - Date.parse(updated) >= IDLE_MS)
    .filter(({id, updated}) => !state.isDone({sessionId: id, lastUpdated: updated}))
    .sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated));
  const [candidates, low]: [StoredSession[], StoredSession[]] = [[], []];
  for (const {id} of idle.slice(0, MOST_READ)) {
    if (candidates.length >= MOST_SESSIONS) break;
    await pause();
    signal.throwIfAborted();
    // One that cannot be read is named where sessions are listed.
    const session = await sessions.open(id).catch(() => undefined);
    if (session && promptsOf(session) >= LEAST_PROMPTS) (hasSignal(session) ? candidates : low).push(session);
  }
  return {candidates, low};
}

function promptsOf({entries}: StoredSession): number {
  return entries.filter(({kind, origin}) => kind === 'user' && (origin === undefined || origin === 'person')).length;
}

function hasSignal({entries}: StoredSession): boolean {
  const calls = entries.reduce((sum, {calls: own = []}) => sum + own.length, 0);
  return calls >= LEAST_CALLS || findSignals(entries).length > 0;
}
