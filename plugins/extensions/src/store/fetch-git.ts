import {execFile} from 'node:child_process';
import {mkdir} from 'node:fs/promises';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {ExtensionSource} from '../contract.js';

/** Nothing of a repository runs, and git asks nothing. */
const SAFE = [
  'core.hooksPath=/dev/null',
  'protocol.ext.allow=never',
  'core.fsmonitor=false',
  'submodule.recurse=false',
];
/** Variables that would have git work in another repository. */
const GIT_OWN = /^GIT_(?!SSH|ASKPASS|TERMINAL_PROMPT|HTTP|SSL|PROXY|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))/i;
const MOST_OUTPUT = 1024 * 1024;

export interface GitFetch {
  readonly source: ExtensionSource;
  /** Is made. */
  readonly folder: string;
  readonly variables: Environment['variables'];
  readonly signal: AbortSignal;
}

/** Checks out one commit of a repository; gives the commit. Throws KernelError EXTENSION_UNREACHABLE. */
export async function fetchGit({source, folder, variables, signal}: GitFetch): Promise<string> {
  const {location, ref = 'HEAD'} = source;
  await mkdir(folder, {recursive: true});
  const git = (...args: readonly string[]): Promise<string> => runGit(args, {location, folder, variables, signal});
  await git('init', '--quiet');
  await git('fetch', '--quiet', '--depth=1', '--', location, ref);
  await git('-c', 'advice.detachedHead=false', 'checkout', '--quiet', 'FETCH_HEAD');
  return (await git('rev-parse', 'HEAD')).trim();
}

/** The commit that a source has now, without fetching it. */
export async function remoteCommit({source, folder, variables, signal}: GitFetch): Promise<string | undefined> {
  const {location, ref = 'HEAD'} = source;
  const found = await runGit(['ls-remote', '--', location, ref], {location, folder, variables, signal});
  return /^[0-9a-f]{40,64}/.exec(found)?.[0];
}

interface Run extends Omit<GitFetch, 'source'> {
  readonly location: string;
}

function runGit(args: readonly string[], {location, folder, variables, signal}: Run): Promise<string> {
  const kept = Object.entries(variables).filter(([name]) => !GIT_OWN.test(name));
  const env = {...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0'};
  const all = [...SAFE.flatMap((one) => ['-c', one]), ...args];
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      all,
      {cwd: folder, env, signal, maxBuffer: MOST_OUTPUT, windowsHide: true},
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        if (signal.aborted) return reject(signal.reason as Error);
        const isMissing = error.code === 'ENOENT';
        reject(
          new KernelError(
            'EXTENSION_UNREACHABLE',
            isMissing
              ? 'git is not installed, or not on PATH.'
              : `Cannot fetch ${hide(location)}: ${reasonOf(stderr)}.`,
            {hint: isMissing ? 'Install git, or install from a folder.' : 'Try `git ls-remote` with the same address.'},
          ),
        );
      },
    );
  });
}

function hide(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//');
}

function reasonOf(stderr: string): string {
  const [first] = stderr.split('\n').map((line) => line.replace(/^(?:fatal|error|remote):\s*/, '').trim());
  return hide(first || 'git gave no reason').replace(/\.$/, '');
}
