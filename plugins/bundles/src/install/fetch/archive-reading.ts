import type {ReadOptions} from '@gemini-kernel/files';

/** Limits for reading an archive: far more than any plugin needs, even on a slow disk. */
export const ARCHIVE_READING = {limit: 2 ** 30, deadlineMs: 120_000} as const satisfies ReadOptions;

/** A larger archive is not one of a plugin or of a dependency. */
export const LARGEST_ARCHIVE = 100 * 1024 * 1024;
