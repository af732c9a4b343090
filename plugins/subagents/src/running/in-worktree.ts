import {randomBytes} from 'node:crypto';
import type {AgentInfo, AgentRun, Worktree, WorktreeEnd, Worktrees} from '../contract.js';

interface Asked {
  readonly agent: AgentInfo;
  readonly prompt: string;
}

/** Runs an agent in a worktree of its own. What it did is committed to the branch, also when the run is cancelled. */
export async function inWorktree(
  worktrees: Worktrees,
  {agent: {name}, prompt}: Asked,
  run: (tree: Worktree) => Promise<AgentRun>,
): Promise<AgentRun> {
  const tree = await worktrees.make(`${name}-${randomBytes(4).toString('hex')}`);
  const [line = ''] = prompt.trim().split('\n');
  const finish = (): Promise<WorktreeEnd> => worktrees.finish(tree, `${name}: ${line}`.slice(0, 72));
  let ended: AgentRun;
  try {
    ended = await run(tree);
  } catch (error) {
    await finish();
    throw error;
  }
  const worktree = await finish();
  return {...ended, worktree};
}

/** The prompt, with what an agent must know of its worktree. */
export function promptIn(tree: Worktree | undefined, prompt: string): string {
  if (!tree) return prompt;
  const behind = tree.isBehind ? ' Changes of the person that are not committed are not in it.' : '';
  return (
    `${prompt}\n\nYou work in a git worktree of your own, ${tree.folder}, on the branch ${tree.branch}.${behind} ` +
    'Name files relative to it. What you change is committed to this branch when you have reported.'
  );
}

/** Where the work of an agent is, for the model that called it. */
export function describeWorktree({isKept, branch, path, base, commits, diffStat, others}: WorktreeEnd): string {
  if (!isKept) return 'It changed nothing: its worktree is removed.';
  const ignored = others ? ' Files that git ignores are only in the folder.' : '';
  return [
    `Its changes are on the branch ${branch} (${commits} commit${commits === 1 ? '' : 's'} since ` +
      `${base.slice(0, 12)}), in the worktree ${path}. Nothing is merged.${ignored}`,
    `See them with: git diff ${base.slice(0, 12)} ${branch}. Take them with: git merge ${branch}.`,
    ...(diffStat === '' ? [] : [diffStat]),
  ].join('\n');
}
