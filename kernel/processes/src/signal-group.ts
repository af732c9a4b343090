import {spawn} from 'node:child_process';
import {kill} from 'node:process';

// All that differs between systems for a group of processes is in this file.

/** Whether the system has process groups, and a shell that can keep them. */
export function hasGroups(platform: NodeJS.Platform): boolean {
  return platform !== 'win32';
}

/**
 * Sends a signal to every process of a group; 0 only looks. Returns whether there was one. Windows has no groups and
 * no signals: there it ends the process and its descendants, and 0 finds nothing.
 */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0, platform: NodeJS.Platform): boolean {
  if (!hasGroups(platform)) return signal !== 0 && endTree(leader);
  try {
    return kill(-leader, signal);
  } catch (error) {
    // No process of it is left, or none that belongs to this user.
    if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function endTree(pid: number): boolean {
  const options = {stdio: 'ignore', windowsHide: true} as const;
  // Without taskkill, at least the process itself ends.
  spawn('taskkill', ['/pid', String(pid), '/T', '/F'], options)
    .once('error', () => kill(pid))
    .unref();
  return true;
}
