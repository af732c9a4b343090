import {isToolError, messageOf, ToolError} from '@gemini-kernel/kernel';

/** The system's name of an error, such as ENOENT; undefined for anything that is not a system error. */
export function errnoOf(error: unknown): string | undefined {
  const {errno, code} = (error ?? {}) as {errno?: unknown; code?: unknown};
  return typeof errno === 'number' && typeof code === 'string' ? code : undefined;
}

const READ_HINT = 'Ask the user to allow reading it, or work with another file.';
const WRITE_HINT = 'Ask the user to allow writing there, or choose another path.';
const ROOM_HINT = 'Nothing was changed. Ask the user to free some space, then try again.';

const MISSING = ['FILE_MISSING', 'does not exist', 'List its directory to check the name.'] as const;
const CHANGED = ['FILE_CHANGED', 'was replaced by a symbolic link after it was checked', 'Try again.'] as const;

const CAUSES: Readonly<Record<string, readonly [code: string, state: string, hint: string]>> = {
  ENOENT: MISSING,
  ENOTDIR: [
    'FOLDER_IS_FILE',
    'is a file, or has a file in its path, where a directory is needed',
    'List the directory above it to check the path.',
  ],
  EISDIR: ['FILE_IS_DIRECTORY', 'is a directory', 'Use list_directory to see what is in it.'],
  ELOOP: CHANGED,
  EMLINK: CHANGED,
  ENOSPC: ['DISK_FULL', 'does not fit: the disk is full', ROOM_HINT],
  EDQUOT: ['DISK_FULL', 'does not fit: the disk quota is used up', ROOM_HINT],
  EFBIG: ['DISK_FULL', 'does not fit: the file size limit of the system is reached', ROOM_HINT],
  EROFS: [
    'DISK_READ_ONLY',
    'is on a read-only file system',
    'Nothing was changed. Choose a path on another file system.',
  ],
};

/** The ToolError for a failed system call on `path`; any other error is returned unchanged. */
export function diskError(cause: unknown, path: string, act: 'read' | 'write' | 'list'): unknown {
  const errno = errnoOf(cause);
  if (errno === undefined || isToolError(cause)) return cause;
  const known = CAUSES[errno];
  if (known !== undefined) {
    const [code, state, hint] =
      act === 'list' && errno === 'ENOENT' ? ['FOLDER_MISSING', MISSING[1], MISSING[2]] : known;
    return new ToolError(code, `Cannot ${act} ${path}: it ${state}.`, {hint, cause});
  }
  const code = {read: 'FILE_UNREADABLE', write: 'FILE_UNWRITABLE', list: 'FOLDER_UNREADABLE'}[act];
  const reason = errno === 'EACCES' || errno === 'EPERM' ? 'permission denied' : messageOf(cause);
  return new ToolError(code, `Cannot ${act} ${path}: ${reason}.`, {
    hint: act === 'write' ? WRITE_HINT : READ_HINT,
    cause,
  });
}
