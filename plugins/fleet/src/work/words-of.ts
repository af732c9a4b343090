import type {Claim} from '../contract.js';
import type {FleetTask} from '../plan/make-tasks.js';

/** What a run gets besides its task. */
export interface RunWords {
  readonly claim: Pick<Claim, 'reserved'>;
  /** The session of an earlier attempt, which is continued. */
  readonly session?: string;
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
    `--prompt=${session === undefined ? prompt : CONTINUE}`,
    '--output-format=stream-json',
    ...(session === undefined ? [] : [`--resume=${session}`]),
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
