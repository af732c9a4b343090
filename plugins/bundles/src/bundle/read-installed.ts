import {readLock, type PluginsLock} from '@gemini-kernel/admission';
import {publishedSchema} from '../published-schema.js';

/** Reads a lock of installed plugins; an empty lock if there is no file. Throws KernelError LOCK_UNREADABLE. */
export async function readInstalled(path: string): Promise<PluginsLock> {
  return (await readLock(path, await publishedSchema('plugins-lock'))) ?? {lockVersion: 1, serial: 0, plugins: {}};
}
