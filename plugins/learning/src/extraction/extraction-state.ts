import {join} from 'node:path';
import {isAbsent, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';

/** A session as it was at some time: one that continues is another. */
export interface SessionVersion {
  readonly sessionId: string;
  readonly lastUpdated: string;
}

/** One run, in the form of Gemini CLI, which reads and extends the same file; `tokens` is ours. */
export interface ExtractionRun {
  readonly runAt: string;
  readonly sessionIds: readonly string[];
  readonly candidateSessions: readonly SessionVersion[];
  readonly processedSessions: readonly SessionVersion[];
  readonly memoryCandidatesCreated: readonly string[];
  readonly memoryFilesUpdated: readonly string[];
  readonly skillsCreated: readonly string[];
  readonly durationMs?: number;
  readonly terminateReason?: string;
  readonly tokens?: number;
}

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_RUNS = 500;
/** A session that fails so often is given up. */
const MOST_ATTEMPTS = 3;
const DAY_MS = 86_400_000;

/** What earlier runs did. */
export class ExtractionState {
  private constructor(
    private readonly file: string,
    readonly runs: readonly ExtractionRun[],
  ) {}

  /** A file that cannot be understood counts as none: at worst a session is looked at again. */
  static async read(memory: string): Promise<ExtractionState> {
    const file = join(memory, '.extraction-state.json');
    const text = isAbsent(file) ? '{}' : await readText(file, {limit: MOST_BYTES});
    return new ExtractionState(file, readRuns(text));
  }

  get last(): ExtractionRun | undefined {
    return this.runs.at(-1);
  }

  /** Whether nothing more is to be done with a session: it was looked at, or given up. */
  isDone(session: SessionVersion): boolean {
    const isIt = (one: SessionVersion): boolean =>
      one.sessionId === session.sessionId && one.lastUpdated === session.lastUpdated;
    if (this.runs.some(({processedSessions}) => processedSessions.some(isIt))) return true;
    return this.runs.filter(({candidateSessions}) => candidateSessions.some(isIt)).length >= MOST_ATTEMPTS;
  }

  /** Tokens that runs of the last day took. */
  tokensOfDay(now: number): number {
    const recent = this.runs.filter(({runAt}) => now - Date.parse(runAt) < DAY_MS);
    return recent.reduce((sum, {tokens = 0}) => sum + tokens, 0);
  }

  async add(run: ExtractionRun): Promise<void> {
    await writeAtomically(this.file, JSON.stringify({runs: [...this.runs, run].slice(-MOST_RUNS)}, null, 2));
  }
}

function readRuns(text: string): readonly ExtractionRun[] {
  try {
    const {runs} = JSON.parse(text) as {readonly runs?: unknown};
    return Array.isArray(runs) ? runs.flatMap(readRun) : [];
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
    return [];
  }
}

function readRun(value: unknown): readonly ExtractionRun[] {
  const run = (value ?? {}) as Readonly<Record<string, unknown>>;
  const {runAt, tokens} = run;
  if (typeof runAt !== 'string' || Number.isNaN(Date.parse(runAt))) return [];
  return [
    {
      ...(run as Partial<ExtractionRun>),
      runAt,
      sessionIds: textsIn(run['sessionIds']),
      candidateSessions: versionsIn(run['candidateSessions']),
      processedSessions: versionsIn(run['processedSessions']),
      memoryCandidatesCreated: textsIn(run['memoryCandidatesCreated']),
      memoryFilesUpdated: textsIn(run['memoryFilesUpdated']),
      skillsCreated: textsIn(run['skillsCreated']),
      tokens: typeof tokens === 'number' && tokens > 0 ? tokens : 0,
    },
  ];
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function versionsIn(value: unknown): readonly SessionVersion[] {
  const list = (Array.isArray(value) ? value : []) as readonly (Partial<SessionVersion> | null)[];
  return list.flatMap((one) =>
    typeof one?.sessionId === 'string' && typeof one.lastUpdated === 'string'
      ? [{sessionId: one.sessionId, lastUpdated: one.lastUpdated}]
      : [],
  );
}
