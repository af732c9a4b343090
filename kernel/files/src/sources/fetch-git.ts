import {runGit, type ProgramPlace} from './run-program.js';

export interface GitFetch {
  /** Is there, and is empty; the files are checked out there. */
  readonly place: ProgramPlace;
  readonly location: string;
  /** A branch, tag or commit. */
  readonly ref: string;
  /** Options of git that come before its command. */
  readonly options?: readonly string[];
  /** Makes the error of a reason such as `repository not found`. */
  failed(reason: string): Error;
}

/** Checks out one commit of a repository, without history where the server allows it. Returns the commit. */
export async function fetchGit({place, location, ref, options = [], failed}: GitFetch): Promise<string> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const {code, stdout, stderr} = await runGit([...options, ...args], place);
    if (code !== 0) throw failed(reasonOfGit(stderr));
    return stdout;
  };
  checkRef(ref, failed);
  await git('init', '--quiet');
  const fetched = await runGit([...options, 'fetch', '--quiet', '--depth=1', '--no-tags', '--', location, ref], place);
  if (fetched.code !== 0) {
    if (!/^[0-9a-f]{7,64}$/.test(ref)) throw failed(reasonOfGit(fetched.stderr));
    // Some servers do not serve a commit that no name points to; then everything is fetched.
    await git('fetch', '--quiet', '--', location, '+refs/*:refs/remotes/all/*');
  }
  const name = fetched.code === 0 ? 'FETCH_HEAD' : ref;
  const commit = (await git('rev-parse', `${name}^{commit}`)).trim();
  await git('-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit);
  return commit;
}

/** The commit that a repository has under a name now, without fetching it; undefined if there is no such name. */
export async function remoteCommit({place, location, ref, failed}: GitFetch): Promise<string | undefined> {
  checkRef(ref, failed);
  const {code, stdout, stderr} = await runGit(['ls-remote', '--', location, ref], place);
  if (code !== 0) throw failed(reasonOfGit(stderr));
  return /^[0-9a-f]{40,64}/.exec(stdout)?.[0];
}

/** What begins with a dash would be an option of git. */
function checkRef(ref: string, failed: GitFetch['failed']): void {
  if (ref.startsWith('-')) throw failed(`${JSON.stringify(ref)} is not a ref`);
}

/** Why git failed, as a clause without credentials of an address. */
export function reasonOfGit(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^(fatal|error|remote|ssh):\s*/i, '').trim())
    // A push names its target first.
    .filter((line) => line !== '' && !line.startsWith('To '));
  return hideCredentials(lines[0] ?? 'git failed without a reason').replace(/\.$/, '');
}

/** The text without the credentials of addresses in it. */
export function hideCredentials(text: string): string {
  return text.replaceAll(/\/\/[^/@\s]*@/g, '//');
}
