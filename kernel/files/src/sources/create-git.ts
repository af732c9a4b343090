import {reasonOfGit} from './fetch-git.js';
import {runGit, type ProgramEnd, type ProgramPlace} from './run-program.js';

/** Git in folders of a person. */
export interface Git {
  /** Gives what it prints. Throws what `failed` makes of the reason. */
  run(folder: string, ...args: readonly string[]): Promise<string>;
  /** Undefined where git says no. */
  ask(folder: string, ...args: readonly string[]): Promise<string | undefined>;
}

export interface GitPlace extends Pick<ProgramPlace, 'platform' | 'variables' | 'signal'> {
  /** Settings of git beside the common ones, such as `core.autocrlf=false`. */
  readonly settings?: readonly string[];
  /** Makes the error of a sentence. */
  failed(message: string): Error;
  /** Makes the error for git that is in no folder of PATH. */
  missing(): Error;
}

/**
 * A repository's hooks and background work are not run, and nothing is signed: no one is there to unlock a key. No
 * repository inside is asked for its state: git would do what the configuration of that one says.
 */
const QUIET = [
  ...['commit.gpgSign=false', 'gc.auto=0', 'maintenance.auto=false', 'core.quotePath=false'],
  'diff.ignoreSubmodules=dirty',
];

/** Git for repositories in which no one is asked. */
export function createGit({platform, variables, signal, settings = [], failed, missing}: GitPlace): Git {
  const links = platform === 'win32' ? [] : ['core.symlinks=true'];
  const options = [...QUIET, ...links, ...settings].flatMap((one) => ['-c', one]);
  const start = (folder: string, args: readonly string[]): Promise<ProgramEnd> =>
    runGit([...options, ...args], {folder, platform, variables, signal, missing});
  return {
    async run(folder, ...args) {
      const {code, stdout, stderr} = await start(folder, args);
      if (code === 0) return stdout;
      const verb = args.find((word) => /^[a-z][a-z-]*$/.test(word)) ?? '';
      throw failed(`git ${verb} failed in ${folder}: ${reasonOfGit(stderr)}.`);
    },
    async ask(folder, ...args) {
      const {code, stdout} = await start(folder, args);
      return code === 0 ? stdout : undefined;
    },
  };
}
