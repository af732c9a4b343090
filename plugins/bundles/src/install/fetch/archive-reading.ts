import type {ReadOptions} from '@gemini-kernel/files';

/** How an archive is read: far more than any plugin has, on a slow disk. */
export const ARCHIVE_READING = {limit: 2 ** 30, deadlineMs: 120_000} as const satisfies ReadOptions;

/** An archive with more bytes is not a plugin's, nor a package's that a plugin needs. */
export const LARGEST_ARCHIVE = 100 * 1024 * 1024;
