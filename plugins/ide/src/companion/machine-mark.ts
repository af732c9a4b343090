import {createHash} from 'node:crypto';
import {readlink} from 'node:fs/promises';
import {hostname} from 'node:os';
import {passOver} from './system-code.js';

/** Names the set of processes that this one can check for life: those of this machine, or of this container. */
export async function machineMark(): Promise<string> {
  const space = await readlink('/proc/self/ns/pid').catch((error: unknown) =>
    passOver(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EINVAL', 'UNKNOWN'),
  );
  return createHash('sha256')
    .update(`${hostname()} ${space ?? ''}`)
    .digest('hex')
    .slice(0, 8);
}
