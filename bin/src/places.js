import { posix, win32 } from 'node:path';
/** The one place that knows the conventions of each system; oclif computes the same `installed`. */
export function findPlaces({ platform, user, variables }) {
    const { join } = platform === 'win32' ? win32 : posix;
    const local = platform === 'win32' ? variables['LOCALAPPDATA'] : undefined;
    const macCache = platform === 'darwin' ? join(user, 'Library', 'Caches') : undefined;
    const data = join(variables['XDG_DATA_HOME'] ?? local ?? join(user, '.local', 'share'), 'gemini');
    return {
        home: variables['GEMINI_CLI_HOME'] ?? user,
        cache: join(variables['XDG_CACHE_HOME'] ?? macCache ?? local ?? join(user, '.cache'), 'gemini'),
        data,
        installed: variables['GEMINI_DATA_DIR'] ?? join(data, 'ext'),
    };
}
//# sourceMappingURL=places.js.map