import {mkdirSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';

/** Of a folder of ours that only its owner enters. */
export const PRIVATE_FOLDER = 0o700;
/** Of a file of ours that only its owner reads. */
export const PRIVATE_FILE = 0o600;

/**
 * Makes a folder of ours, and those above it that are missing, for their owner only: a umask can only take rights away.
 * One that is there stays as it is.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, {recursive: true, mode: PRIVATE_FOLDER});
}

/** The same, by the thread that asks. */
export function makePrivateFolderSync(path: string): void {
  mkdirSync(path, {recursive: true, mode: PRIVATE_FOLDER});
}
