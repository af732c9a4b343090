import {readFileSync} from 'node:fs';
import {systemCode} from '../system-code.js';
import type {WatchLimits} from './tree-watch.js';

/** Where the system reports no limit. */
const DEFAULTS: WatchLimits = {mostFolders: 4096, mostEvents: 4096};
const MOST_FOLDERS = 65_536;

/**
 * Half of the folders that the system lets one user watch, because other programs watch too, and a quarter of its
 * queue.
 */
export function readLimits(): WatchLimits {
  const folders = readNumber('/proc/sys/fs/inotify/max_user_watches');
  const events = readNumber('/proc/sys/fs/inotify/max_queued_events');
  return {
    mostFolders: folders === undefined ? DEFAULTS.mostFolders : Math.min(MOST_FOLDERS, Math.floor(folders / 2)),
    mostEvents: events === undefined ? DEFAULTS.mostEvents : Math.floor(events / 4),
  };
}

/** The kernel returns such a file in one read, and nothing on a second one. */
function readNumber(path: string): number | undefined {
  try {
    const value = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isFinite(value) && value > 0 ? value : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
