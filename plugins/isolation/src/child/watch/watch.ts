import {syncBuiltinESMExports} from 'node:module';
import type {Watched, Watching} from '../../wire/watched.js';
import {Noted} from './noted.js';
import {watchFiles} from './watch-files.js';
import {watchNetwork} from './watch-network.js';
import {watchPrograms} from './watch-programs.js';
import {watchVariables} from './watch-variables.js';

/**
 * From now on notes what the code in this process uses and is refused, in the modules of Node that it would call. It
 * holds nothing back: the system does that, and code that wants to hide from it can. Gives what was noted.
 */
export function watchUses(watching: Watching, send: (watched: readonly Watched[]) => void): Noted {
  const noted = new Noted(send);
  watchFiles(watching, noted);
  watchPrograms(noted);
  watchNetwork(noted);
  watchVariables(watching, noted);
  syncBuiltinESMExports();
  return noted;
}
