import {isFileFault} from '@gemini-kernel/files';

/** The code of a failed system call, such as ENOENT; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const {code, syscall} = (error ?? {}) as {readonly code?: unknown; readonly syscall?: unknown};
  return typeof syscall === 'string' && typeof code === 'string' ? code : undefined;
}

/** Ignores a failed system call with one of these codes. */
export function passOver(error: unknown, ...codes: readonly string[]): undefined {
  if (!codes.includes(systemCode(error) ?? '')) throw error;
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not become larger',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EIO: 'the device failed',
  ENOENT: 'it does not exist',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a directory was expected, but it is a file',
};

/** The reason of a failed system call, in words. */
export function systemReason(error: unknown): string {
  const code = systemCode(error) ?? '';
  if (isFileFault(error)) return error.reason;
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}
