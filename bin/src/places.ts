import {homedir} from 'node:os';
import {join} from 'node:path';

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

/** The one place that knows the conventions of each system; oclif computes the same `installed`. */
export function findPlaces(variables: NodeJS.ProcessEnv, platform: NodeJS.Platform): Places {
  const user = homedir();
  const local = platform === 'win32' ? variables['LOCALAPPDATA'] : undefined;
  const data = join(variables['XDG_DATA_HOME'] ?? local ?? join(user, '.local', 'share'), 'gemini');
  const macCache = platform === 'darwin' ? join(user, 'Library', 'Caches') : undefined;
  return {
    home: variables['GEMINI_CLI_HOME'] ?? user,
    cache: join(variables['XDG_CACHE_HOME'] ?? macCache ?? local ?? join(user, '.cache'), 'gemini'),
    data,
    installed: variables['GEMINI_DATA_DIR'] ?? join(data, 'ext'),
  };
}
