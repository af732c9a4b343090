import type {Environment} from '@gemini-kernel/kernel';
import type {FoundEditor} from '../contract.js';
import {depthOfRoots} from './compare-roots.js';

/** An editor with where it stands among others: the first figure that differs decides, and the larger comes first. */
export interface Ranked {
  readonly editor: FoundEditor;
  readonly rank: readonly number[];
}

/** What the terminal says of its own editor. */
export interface Terminal {
  readonly environment: Pick<Environment, 'platform'>;
  /** Real. */
  readonly cwd: string;
  readonly idePid: number | undefined;
  readonly port: number | undefined;
}

/**
 * The editor of this terminal before others, by what it said itself where processes cannot be followed; then those
 * above this process, those that have exactly this folder open, or hold it most closely, and the one that was started
 * last.
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

/** Puts the editor first that is tried first. */
export function byRank(a: Ranked, b: Ranked): number {
  const index = a.rank.findIndex((value, at) => value !== b.rank[at]);
  return index < 0 ? 0 : (b.rank[index] ?? 0) - (a.rank[index] ?? 0);
}
