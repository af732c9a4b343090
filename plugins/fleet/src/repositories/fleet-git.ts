import {createGit, type Git} from '@gemini-kernel/files/sources';
import {KernelError, type Environment} from '@gemini-kernel/kernel';

/** Commits are those of the person where git knows one. */
const WHO = ['-c', 'user.name=gemini', '-c', 'user.email=gemini@localhost'];

/** Git for repositories of a fleet. Throws KernelError REPOSITORY_FAILED. */
export function fleetGit({platform, variables}: Pick<Environment, 'platform' | 'variables'>, signal: AbortSignal): Git {
  const failed = (message: string): Error => new KernelError('REPOSITORY_FAILED', message);
  return createGit({
    ...{platform, variables, signal, failed},
    settings: ['advice.detachedHead=false', 'core.autocrlf=false'],
    missing: () => failed('A fleet over repositories needs git, which is in no folder of PATH.'),
  });
}

/** The person that git knows, or one of this program, as options of git. */
export async function identityFor(git: Git, folder: string): Promise<readonly string[]> {
  return (await git.ask(folder, 'var', 'GIT_COMMITTER_IDENT')) === undefined ? WHO : [];
}
