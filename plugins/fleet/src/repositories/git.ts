import {hideCredentials, reasonOfGit, runGit} from '@gemini-kernel/files/sources';
import {KernelError, type Environment} from '@gemini-kernel/kernel';

/** Runs git for repositories of a fleet. */
export interface Git {
  /** Gives what it prints. Throws KernelError REPOSITORY_FAILED. */
  run(folder: string, ...args: readonly string[]): Promise<string>;
  /** Undefined where git says no. */
  ask(folder: string, ...args: readonly string[]): Promise<string | undefined>;
}

/** Nothing is signed, no work is left in the background, and no repository inside is asked for its state. */
const QUIET = [
  ...['commit.gpgSign=false', 'gc.auto=0', 'maintenance.auto=false', 'core.quotePath=false'],
  ...['diff.ignoreSubmodules=dirty', 'advice.detachedHead=false', 'core.autocrlf=false'],
];

/** Commits are those of the person where git knows one. */
const WHO = ['-c', 'user.name=gemini', '-c', 'user.email=gemini@localhost'];

export function createGit(
  {platform, variables}: Pick<Environment, 'platform' | 'variables'>,
  signal: AbortSignal,
): Git {
  const links = platform === 'win32' ? [] : ['core.symlinks=true'];
  const options = [...QUIET, ...links].flatMap((one) => ['-c', one]);
  const start = (folder: string, args: readonly string[]) =>
    runGit([...options, ...args], {
      ...{folder, platform, variables, signal},
      missing: () => new KernelError('REPOSITORY_FAILED', 'A fleet over repositories needs git, which is not in PATH.'),
    });
  return {
    async run(folder, ...args) {
      const {code, stdout, stderr} = await start(folder, args);
      if (code === 0) return stdout;
      const verb = args.find((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')) ?? '';
      throw new KernelError('REPOSITORY_FAILED', `git ${verb} failed in ${folder}: ${reasonOfGit(stderr)}.`);
    },
    async ask(folder, ...args) {
      const {code, stdout} = await start(folder, args);
      return code === 0 ? stdout : undefined;
    },
  };
}

/** The person that git knows, or one of this program, as options of git. */
export async function identityFor(git: Git, folder: string): Promise<readonly string[]> {
  return (await git.ask(folder, 'var', 'GIT_COMMITTER_IDENT')) === undefined ? WHO : [];
}

export function shown(repository: string): string {
  return hideCredentials(repository);
}
