import {readdirSync, readFileSync, readlinkSync} from 'node:fs';

const CLOSES_ON_EXEC = 0o2000000;

/** What the kernel tells about one that watches folders lists all of them, which takes longer than to start bwrap. */
const WATCHING = 'anon_inode:inotify';

/**
 * The descriptors above 2 that programs would inherit from this one, left open by the program that started it. Node
 * opens its own so that they are not passed on. One that watches folders counts as passed on: to cover it is cheap.
 */
export function inheritedDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((fd) => fd > 2 && isPassedOn(fd));
}

function isPassedOn(fd: number): boolean {
  try {
    if (readlinkSync(`/proc/self/fd/${fd}`) === WATCHING) return true;
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
  } catch (error) {
    // The one that listed them is closed by now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
