import {runGit, reasonOfGit} from '@gemini-kernel/files/sources';
import {KernelError, type Environment} from '@gemini-kernel/kernel';

/** Runs git in a folder. `ask` gives undefined where git says no; `run` throws KernelError WORKTREE_FAILED. */
export interface Git {
  run(folder: string, ...args: readonly string[]): Promise<string>;
  ask(folder: string, ...args: readonly string[]): Promise<string | undefined>;
}

/**
 * A repository's hooks and background work are not run, and nothing is signed: no one is there to unlock a key. No
 * repository inside is asked for its state: git would do what the configuration of that one says.
 */
const QUIET = [
  ...['commit.gpgSign=false', 'gc.auto=0', 'maintenance.auto=false', 'core.quotePath=false'],
  'diff.ignoreSubmodules=dirty',
];

/** Git as worktrees need it. */
export function createGit(
  {platform, variables}: Pick<Environment, 'platform' | 'variables'>,
  signal: AbortSignal,
): Git {
  const links = platform === 'win32' ? [] : ['core.symlinks=true'];
  const options = [...QUIET, ...links].flatMap((one) => ['-c', one]);
  const start = (folder: string, args: readonly string[]) =>
    runGit([...options, ...args], {
      ...{folder, platform, variables, signal},
      missing: () => new KernelError('WORKTREE_FAILED', 'Worktrees need git, which is in no folder of PATH.'),
    });
  return {
    async run(folder, ...args) {
      const {code, stdout, stderr} = await start(folder, args);
      if (code === 0) return stdout;
      throw new KernelError('WORKTREE_FAILED', `git ${args[0] ?? ''} failed in ${folder}: ${reasonOfGit(stderr)}.`);
    },
    async ask(folder, ...args) {
      const {code, stdout} = await start(folder, args);
      return code === 0 ? stdout : undefined;
    },
  };
}
