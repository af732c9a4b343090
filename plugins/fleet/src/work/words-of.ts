import type {Claim} from '../contract.js';
import type {FleetTask} from '../plan/make-tasks.js';

/** The session of a run. One that is continued began in an earlier attempt. */
export interface RunSession {
  readonly id: string;
  readonly isContinued: boolean;
}

/** What a run gets besides its task. */
export interface RunWords {
  readonly claim: Pick<Claim, 'reserved'>;
  readonly session: RunSession;
  /** The file with the schema of the answer. */
  readonly schema?: string;
  /** Flags of the person, which count for each task. */
  readonly given: readonly string[];
}

const CONTINUE =
  'You were interrupted. Continue with the task from where you were; what you did so far is in the files.';

/** A task as words of this program. */
export function wordsOf(task: FleetTask, {claim, session, schema, given}: RunWords): readonly string[] {
  const {prompt, model, mode, allow, isConfined, limits} = task;
  const cost = claim.reserved?.cost;
  const isGiven = (name: string): boolean => given.some((word) => word.startsWith(`--${name}`));
  return [
    `--prompt=${session.isContinued ? CONTINUE : prompt}`,
    '--output-format=stream-json',
    session.isContinued ? `--resume=${session.id}` : `--session-id=${session.id}`,
    ...(isGiven('approval-mode') ? [] : [`--approval-mode=${mode}`]),
    ...allow.map((tool) => `--allowed-tools=${tool}`),
    ...(isGiven('sandbox') || isGiven('no-sandbox') ? [] : [isConfined ? '--sandbox' : '--no-sandbox']),
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(cost === undefined ? [] : [`--max-cost=${cost}`]),
    ...(limits.turns === undefined ? [] : [`--max-turns=${limits.turns}`]),
    ...(schema === undefined ? [] : [`--output-schema=${schema}`]),
    `--timeout=${limits.seconds}s`,
    ...given,
  ];
}
