import {
  runGit as runOwnGit,
  runNpm as runOwnNpm,
  type ProgramEnd,
  type ProgramPlace,
} from '@gemini-kernel/files/sources';
import {KernelError} from '@gemini-kernel/kernel';
import type {Installer} from '../source/installer.js';

export interface ProgramRun {
  readonly args: readonly string[];
  readonly directory: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Runs the user's own npm, without input and without scripts of packages. Throws KernelError INSTALL_PROGRAM_MISSING;
 * the caller checks whether it succeeded.
 */
export function runNpm(installer: Installer, {args, directory, variables}: ProgramRun): Promise<ProgramEnd> {
  return runOwnNpm(args, placeOf(installer, directory), variables);
}

/** Runs git in a folder. Throws KernelError INSTALL_PROGRAM_MISSING. */
export function runGit(installer: Installer, {args, directory}: ProgramRun): Promise<ProgramEnd> {
  return runOwnGit([...gitOptions(installer), ...args], placeOf(installer, directory));
}

/** Where rules restrict sources, no server may redirect git. */
export function gitOptions({managed}: Installer): readonly string[] {
  return managed.kind === 'none' ? [] : ['-c', 'http.followRedirects=false'];
}

/** Where git or npm run for an installation. */
export function placeOf({environment, signal}: Installer, folder: string): ProgramPlace {
  const {platform, variables} = environment;
  return {folder, platform, variables, signal, missing};
}

function missing(name: 'npm' | 'git'): KernelError {
  return new KernelError(
    'INSTALL_PROGRAM_MISSING',
    `This installation needs ${name}, which is not in any folder of PATH.`,
    {
      hint:
        name === 'npm'
          ? 'Install npm, which comes with Node, then try again. A plugin in an archive without dependencies ' +
            'does not need npm.'
          : 'Install git, then try again.',
    },
  );
}
