import {posix, win32} from 'node:path';
import type {InstallPlaces, ScopePlaces} from './contract.js';

/** Where this program keeps things of the user's, apart from the project. */
export interface Places {
  /** Holds `.gemini`. */
  readonly home: string;
  readonly cache: string;
  /** Holds the lock and the trees of installed plugins, their compiled catalog, and what the host lends them. */
  readonly data: string;
  /** Where installed plugins and applied bundles lie. */
  readonly installs: Pick<InstallPlaces, 'user' | 'system'>;
}

interface System {
  readonly platform: NodeJS.Platform;
  /** The person's home directory. */
  readonly user: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The one place that knows the conventions of each system (an empty variable says nothing). */
export function findPlaces({platform, user, variables}: System): Places {
  const {join} = platform === 'win32' ? win32 : posix;
  const local = platform === 'win32' ? variables['LOCALAPPDATA'] : undefined;
  const macCache = platform === 'darwin' ? join(user, 'Library', 'Caches') : undefined;
  const data =
    variables['GEMINI_DATA_DIR'] ||
    join(variables['XDG_DATA_HOME'] || local || join(user, '.local', 'share'), 'gemini');
  return {
    home: variables['GEMINI_CLI_HOME'] || user,
    cache: join(variables['XDG_CACHE_HOME'] || macCache || local || join(user, '.cache'), 'gemini'),
    data,
    installs: {
      user: {lock: join(data, 'plugins.lock.json'), store: join(data, 'store'), bundles: join(data, 'bundles')},
      system: systemPlaces(platform, join),
    },
  };
}

/** The administrator's places. No variable moves them: anyone who starts the program could set it. */
function systemPlaces(
  platform: NodeJS.Platform,
  join: (...parts: string[]) => string,
): ScopePlaces & InstallPlaces['system'] {
  const folders: Partial<Record<NodeJS.Platform, readonly [string, string]>> = {
    darwin: ['/Library/Application Support/GeminiCli', '/Library/Application Support/GeminiCli'],
    // Not below ProgramData, where every user may make folders.
    win32: ['C:\\Program Files\\gemini-cli', 'C:\\Program Files\\gemini-cli'],
  };
  const [settings, data] = folders[platform] ?? ['/etc/gemini-cli', '/var/lib/gemini-cli'];
  return {
    lock: join(settings, 'plugins.lock.json'),
    rules: join(settings, 'plugins.d'),
    // Windows says who may write by lists of its own, which are not read here.
    owner: platform === 'win32' ? undefined : 0,
    store: join(data, 'store'),
    bundles: join(data, 'bundles'),
  };
}
