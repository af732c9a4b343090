import {RECORDED, type Eval} from '../format/eval.js';

/** The model of a person's settings, in results. */
export const OWN_MODEL = 'default';
/** In the results of calls without a model. */
export const NO_MODEL = 'none';

/** What a run gets besides its evaluation. */
export interface RunWords {
  readonly model: string;
  /** The file that stands for the model `recorded`. */
  readonly recording?: string;
  /** A file to record the answers of the model to. */
  readonly record?: string;
  /** Flags of the person, which count in each run. */
  readonly given: readonly string[];
}

/** A repetition as words of this program. */
export function wordsOf(
  {task, mode, allow, limits}: Eval,
  {model, recording, record, given}: RunWords,
): readonly string[] {
  const own = given.some((word) => word.startsWith('--approval-mode=')) ? [] : [`--approval-mode=${mode}`];
  const allowed = allow.map((tool) => `--allowed-tools=${tool}`);
  if (task.kind === 'call')
    return ['tools', 'call', '--json', ...own, ...allowed, ...given, '--args', JSON.stringify(task.input), task.tool];
  return [
    ...[`--prompt=${task.prompt}`, '--output-format=stream-json', ...own, ...allowed, ...given],
    ...[`--timeout=${limits.seconds}s`],
    ...(limits.turns === undefined ? [] : [`--max-turns=${limits.turns}`]),
    ...(model === OWN_MODEL ? [] : [`--model=${model === RECORDED ? `replay:${recording ?? ''}` : model}`]),
    ...(record === undefined ? [] : [`--record-responses=${record}`]),
  ];
}
