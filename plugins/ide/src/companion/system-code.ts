const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a file is where a folder is expected',
  EMFILE: 'too many files are open',
};

/** The code of a failed system call; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const {code, syscall} = (error ?? {}) as {readonly code?: unknown; readonly syscall?: unknown};
  return typeof syscall === 'string' && typeof code === 'string' ? code : undefined;
}

/** Ignores a failed system call if it failed with one of these codes. */
export function passOver(error: unknown, ...codes: readonly string[]): undefined {
  if (!codes.includes(systemCode(error) ?? '')) throw error;
}

/** Why a system call failed, in words; throws any other error. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return REASONS[code] ?? (error as Error).message;
}
