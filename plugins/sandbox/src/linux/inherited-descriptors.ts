import {readdirSync, readFileSync} from 'node:fs';

const CLOSES_ON_EXEC = 0o2000000;

/**
 * The descriptors above 2 that programs would inherit from this one, left open by the program that started it. Node
 * opens its own so that they are not passed on.
 */
export function inheritedDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((fd) => fd > 2 && isPassedOn(fd));
}

function isPassedOn(fd: number): boolean {
  try {
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
  } catch (error) {
    // The one that listed them is closed by now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
