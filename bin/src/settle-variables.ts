import {isAbsolute} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';

const PLACES = [
  'HOME',
  'USERPROFILE',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'GEMINI_CLI_HOME',
  'GEMINI_DATA_DIR',
  'GEMINI_CACHE_DIR',
  'GEMINI_CONFIG_DIR',
];

/**
 * Forgets variables that name a place by an empty or relative path: the current folder, which may be anybody's project,
 * would then be where plugins and settings of the person are taken from. oclif reads the same variables. Throws
 * KernelError HOME_MISSING.
 */
export function settleVariables(
  variables: Record<string, string | undefined>,
  user: () => {readonly homedir: string},
): void {
  for (const name of PLACES) if (variables[name] !== undefined && !isAbsolute(variables[name])) delete variables[name];
  if (variables['HOME'] === undefined && variables['USERPROFILE'] === undefined) variables['HOME'] = homeOf(user);
}

function homeOf(user: () => {readonly homedir: string}): string {
  try {
    return user().homedir;
  } catch (cause) {
    // The system knows no user of this number, as in a container that was given one.
    throw new KernelError(
      'HOME_MISSING',
      'There is no home directory: HOME is not set, and the system does not know this user.',
      {
        cause,
        hint: 'Set HOME to a directory that you can write, for example HOME=/tmp/home.',
      },
    );
  }
}
