import type {SideAnswer, SideRequest} from '@gemini-kernel/plugin-agent/contract';
import type {Sessions, StoredSession} from '@gemini-kernel/plugin-sessions/contract';
import type {Learned} from '../contract.js';
import {readInbox, type InboxPlaces} from '../inbox/read-inbox.js';
import {composeRequest, composeText} from './extraction-request.js';
import {ExtractionState, type ExtractionRun, type SessionVersion} from './extraction-state.js';
import {findKnown} from './find-known.js';
import {findSessions, type FoundSessions} from './find-sessions.js';
import {readProposals} from './read-proposals.js';
import {writeProposals, type Written} from './write-proposals.js';
import {writeTranscript} from './write-transcript.js';

export interface ExtractionParts {
  readonly places: InboxPlaces;
  readonly sessions: Pick<Sessions, 'list' | 'open'>;
  /** Takes secrets out. */
  scrub(text: string): Promise<string>;
  isSecret(text: string): Promise<boolean>;
  ask(request: SideRequest): Promise<SideAnswer>;
  /** Tokens of a day. */
  readonly budget: number;
  readonly signal: AbortSignal;
}

/** A person has to look at these first. */
const MOST_WAITING = 50;
const LETTERS_PER_TOKEN = 4;
const EMPTY: Written = {skills: [], memory: [], refused: 0};

/** What the next run would look at, and the text that it would send, without secrets. */
export async function prepare(
  parts: ExtractionParts,
  state: ExtractionState,
): Promise<FoundSessions & {readonly text: string}> {
  const {places, sessions, signal} = parts;
  const found = await findSessions(sessions, {state, now: Date.now(), signal});
  if (found.candidates.length === 0) return {...found, text: ''};
  const [known, waiting] = [await findKnown(places), await readInbox(places)];
  const names = waiting.map(({id, targets}) => `${id}: ${targets.join(', ')}`);
  const transcripts = await Promise.all(found.candidates.map((one) => writeTranscript(one, parts.scrub)));
  const text = composeText(transcripts, {...known, waiting: names});
  // Also what is known already, and what only the whole shows.
  return {...found, text: await parts.scrub(text)};
}

/** Looks at the sessions that nothing was learned from, once. The caller has the lock. Throws the signal's reason. */
export async function runExtraction(parts: ExtractionParts): Promise<Learned> {
  const {places, budget, signal} = parts;
  const started = Date.now();
  const state = await ExtractionState.read(places.memory);
  if ((await readInbox(places)).length >= MOST_WAITING)
    return {status: 'skipped', reason: `${MOST_WAITING} proposals wait in the inbox.`};
  const spent = state.tokensOfDay(started);
  if (spent >= budget) return {status: 'skipped', reason: `The ${budget} tokens of a day are spent.`};
  const found = await prepare(parts, state);
  const {candidates, low, text} = found;
  if (candidates.length === 0 && low.length === 0) return {status: 'skipped', reason: 'There is no new session.'};
  if (spent + text.length / LETTERS_PER_TOKEN > budget)
    return {status: 'skipped', reason: `It would take more than the ${budget} tokens of a day.`};
  const answer = candidates.length === 0 ? undefined : await parts.ask(composeRequest(text));
  signal.throwIfAborted();
  const written = await keep(answer, candidates, parts);
  const isDone = answer?.status !== 'failed';
  const tokens = answer ? tokensOf(answer, text) : 0;
  await state.add(runOf(found, {written, isDone, tokens, started}));
  if (answer?.status === 'failed') return {status: 'failed', reason: answer.failure.message};
  return {
    status: 'done',
    sessions: candidates.map(({id}) => id),
    low: low.map(({id}) => id),
    ...{proposals: [...written.skills, ...written.memory], refused: written.refused, tokens},
  };
}

async function keep(
  answer: SideAnswer | undefined,
  candidates: readonly StoredSession[],
  {places, isSecret}: ExtractionParts,
): Promise<Written> {
  if (answer?.status !== 'answered') return EMPTY;
  const read = readProposals(answer.pieces, new Set(candidates.map(({id}) => id)));
  const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return writeProposals(read, {places, isSecret, stamp});
}

function tokensOf(answer: SideAnswer, text: string): number {
  const counted = answer.status === 'answered' ? answer.usage?.total : undefined;
  return counted ?? Math.ceil(text.length / LETTERS_PER_TOKEN);
}

interface Ended {
  readonly written: Written;
  /** Whether the model answered: else the sessions are tried again. */
  readonly isDone: boolean;
  readonly tokens: number;
  readonly started: number;
}

function runOf({candidates, low}: FoundSessions, {written, isDone, tokens, started}: Ended): ExtractionRun {
  const processed = [...(isDone ? candidates : []), ...low].map(versionOf);
  return {
    runAt: new Date().toISOString(),
    sessionIds: processed.map(({sessionId}) => sessionId),
    candidateSessions: candidates.map(versionOf),
    processedSessions: processed,
    memoryCandidatesCreated: written.memory,
    memoryFilesUpdated: [],
    skillsCreated: written.skills.map((path) => path.replace(/^skills[\\/]/, '')),
    durationMs: Date.now() - started,
    terminateReason: isDone ? 'GOAL' : 'ERROR',
    tokens,
  };
}

function versionOf({id, updated}: StoredSession): SessionVersion {
  return {sessionId: id, lastUpdated: updated};
}
