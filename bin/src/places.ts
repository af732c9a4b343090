import {isAbsolute, posix, win32} from 'node:path';

/** Where this program keeps things of the user's, apart from the project. */
export interface Places {
  /** Holds `.gemini`. */
  readonly home: string;
  readonly cache: string;
  /** Holds the compiled catalog of installed plugins and what the host lends them. */
  readonly data: string;
  /** oclif's own data directory: package.json and node_modules of installed plugins. */
  readonly installed: string;
}

interface System {
  readonly platform: NodeJS.Platform;
  /** The person's home directory. */
  readonly user: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The one place that knows the conventions of each system (an empty variable says nothing); oclif computes the same `installed`. */
export function findPlaces({platform, user, variables}: System): Places {
  const {join} = platform === 'win32' ? win32 : posix;
  const local = platform === 'win32' ? variables['LOCALAPPDATA'] : undefined;
  const macCache = platform === 'darwin' ? join(user, 'Library', 'Caches') : undefined;
  const data = join(variables['XDG_DATA_HOME'] || local || join(user, '.local', 'share'), 'gemini');
  return {
    home: variables['GEMINI_CLI_HOME'] || user,
    cache: join(variables['XDG_CACHE_HOME'] || macCache || local || join(user, '.cache'), 'gemini'),
    data,
    installed: variables['GEMINI_DATA_DIR'] || join(data, 'ext'),
  };
}

const PLACES = ['HOME', 'USERPROFILE', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'GEMINI_CLI_HOME', 'GEMINI_DATA_DIR', 'GEMINI_CACHE_DIR', 'GEMINI_CONFIG_DIR'];

/**
 * Forgets variables that name a place by an empty or relative path: the current folder, which may be anybody's project, would then
 * be where plugins and settings of the person are taken from. oclif reads the same variables.
 */
export function settleVariables(variables: Record<string, string | undefined>, user: () => {readonly homedir: string}): void {
  for (const name of PLACES) if (variables[name] !== undefined && !isAbsolute(variables[name])) delete variables[name];
  if (variables['HOME'] === undefined && variables['USERPROFILE'] === undefined) variables['HOME'] = user().homedir;
}
