import type {Environment} from '@gemini-kernel/kernel';
import type {FoundEditor} from '../contract.js';
import {depthOfRoots} from './compare-roots.js';

/** An editor with its rank: the first number that differs decides, and the larger comes first. */
export interface Ranked {
  readonly editor: FoundEditor;
  readonly rank: readonly number[];
}

/** The port that the terminal names for its own editor. */
export interface Terminal {
  readonly environment: Pick<Environment, 'platform'>;
  /** Real. */
  readonly cwd: string;
  readonly idePid: number | undefined;
  readonly port: number | undefined;
}

/**
 * Ranks the editor of this terminal first, by its variables where processes are not visible; then those above this
 * process, those with exactly this folder or the closest folder open, and the one that started last.
 */
export function rank(
  editor: FoundEditor,
  {idePid, port, cwd, environment: {platform}}: Terminal,
  {written = 0, isFirst = false}: {readonly written?: number; readonly isFirst?: boolean},
): Ranked {
  return {
    editor,
    rank: [
      Number(isFirst),
      Number(editor.endpoint.kind === 'http' && editor.endpoint.port === port),
      Number(editor.source === 'older-file' && editor.isAncestor),
      Number(editor.pid === idePid),
      Number(editor.isAncestor),
      Number(editor.isAlive),
      depthOfRoots(cwd, editor, platform),
      Number(editor.overlap === 'holds-root'),
      editor.pid ?? 0,
      written,
    ],
  };
}

/** Sorts the editor to try first to the front. */
export function byRank(a: Ranked, b: Ranked): number {
  const index = a.rank.findIndex((value, at) => value !== b.rank[at]);
  return index < 0 ? 0 : (b.rank[index] ?? 0) - (a.rank[index] ?? 0);
}
