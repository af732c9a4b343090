import {sep} from 'node:path';

const BETWEEN = `${sep}.gemini${sep}worktrees${sep}`;

/** The folder that a worktree of ours belongs to, for a real path in it; any other path is its own. */
export function baseOf(folder: string): string {
  const at = folder.indexOf(BETWEEN);
  return at < 0 ? folder : folder.slice(0, at);
}
