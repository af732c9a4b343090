import {randomBytes} from 'node:crypto';
import {existsSync, realpathSync} from 'node:fs';
import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {argv, execPath} from 'node:process';
import {isKernelError, type ServiceContext} from '@gemini-kernel/kernel';
import {runAttached} from '@gemini-kernel/processes';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {WorktreeEnd} from '../contract.js';
import {describeWorktree} from '../running/in-worktree.js';
import {HANDLED} from './handled.js';

type Context = Pick<ServiceContext, 'environment' | 'service' | 'names' | 'tell'>;

interface Run {
  readonly signal: AbortSignal;
  readonly isConversation: boolean;
}

/**
 * Runs this program with these words in a worktree, and gives its exit code; undefined where none is asked for. One
 * prompt has its changes committed at the end; a conversation leaves them as they are, to be continued.
 */
export async function enterWorktree(context: Context, words: readonly string[], run: Run): Promise<number | undefined> {
  const {environment, service, tell} = context;
  const name = await nameOf(context);
  if (name === undefined) return undefined;
  const worktrees = await service('worktrees');
  const tree = await worktrees.enter(name);
  const behind = tree.isBehind ? ' Changes that are not committed are not in it.' : '';
  tell({
    level: 'info',
    code: 'WORKTREE_ENTERED',
    sentence: `This runs in the worktree ${tree.path}, on the branch ${tree.branch}.${behind}`,
  });
  const end = (): Promise<WorktreeEnd> =>
    run.isConversation ? worktrees.leave(tree) : worktrees.finish(tree, `gemini: work in ${name}`);
  let code: number;
  try {
    code = await runAttached(
      {
        file: execPath,
        args: [realpathSync(argv[1] ?? ''), ...words],
        cwd: tree.folder,
        variables: {...environment.variables, [HANDLED]: tree.folder},
      },
      run.signal,
    );
  } catch (error) {
    await end();
    throw error;
  }
  tell({level: 'info', code: 'WORKTREE_LEFT', sentence: describeEnd(await end())});
  return code;
}

/** The name that the flag gives, or of the worktree in which the session was that is to be continued. */
async function nameOf(context: Context): Promise<string | undefined> {
  const {flags} = context.environment;
  const given = flags['worktree.name'];
  if (given === undefined) return findResumed(context, String(flags['session.resume']).trim());
  const name = String(given).trim();
  return name === '' ? `run-${randomBytes(4).toString('hex')}` : name;
}

/** The worktree in which a session was that is to be continued, if it is still there. */
async function findResumed({environment, service, names}: Context, session: string): Promise<string | undefined> {
  const folder = join(await realpath(environment.cwd), '.gemini', 'worktrees');
  if (names('sessions').length === 0 || !existsSync(folder)) return undefined;
  try {
    const {id} = await (await service('sessions')).find(session === '' ? 'latest' : session);
    return await (await service('worktrees')).find(id);
  } catch (error) {
    // The conversation says itself that there is no such session.
    if (isKernelError(error) && error.code === 'SESSION_UNKNOWN') return undefined;
    throw error;
  }
}

function describeEnd(end: WorktreeEnd): string {
  const {name, isKept, uncommitted} = end;
  return [
    isKept ? describeWorktree(end) : `Nothing was changed: the worktree "${name}" is removed.`,
    ...(uncommitted ? ['Some changes are not committed: they are in the folder only.'] : []),
    ...(isKept ? [`Continue with: gemini --worktree ${name} --resume.`] : []),
  ].join('\n');
}
