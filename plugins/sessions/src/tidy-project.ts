import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {readRetention, tidySessions} from './retention.js';
import {sweepLeft} from './sweep-left.js';
import {isTidy, markTidy} from './tidy-mark.js';

/** The end of the program waits for it. */
const MOST_DELETING_MS = 250;

export interface Tidying {
  /** The session that is open. */
  readonly current: string;
  readonly signal: AbortSignal;
  warn(sentence: string): void;
}

/**
 * Removes leftovers of killed processes and, at most once an hour, sessions that are too old or too many. What does
 * not fit into the time is left for the next run.
 */
export async function tidyProject(
  folder: ProjectFolder,
  settings: Settings,
  {current, signal, warn}: Tidying,
): Promise<void> {
  await sweepLeft(folder, signal);
  const retention = await readRetention(settings);
  if (typeof retention === 'string') return warn(`Old sessions are not deleted: ${retention}`);
  if (!retention || (await isTidy(folder, retention))) return;
  const {isDone} = await tidySessions(folder, retention, {current, mostMs: MOST_DELETING_MS});
  if (isDone) await markTidy(folder, retention);
}
