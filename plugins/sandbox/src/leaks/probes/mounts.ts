import {contained, type Probe} from '../probe.js';

/** Changing what is mounted. */
export const mounts = (): readonly Probe[] =>
  contained('mount', [
    [
      'remount',
      'mount the root again',
      'mount -o remount,rw / && echo LEAK; mount -o remount,rw,bind .git/hooks && echo LEAK',
    ],
    ['unmount', 'remove what covers a hook', 'umount .git/hooks && echo LEAK; umount -l .env && echo LEAK'],
    ['bind', 'mount a folder over another', 'mount --bind lib .git/hooks && echo LEAK'],
  ]);
