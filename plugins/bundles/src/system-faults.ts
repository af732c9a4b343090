import {KernelError, messageOf} from '@gemini-kernel/kernel';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EIO: 'the device failed',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a directory was expected, but it is a file',
  EISDIR: 'it is a directory',
  EMFILE: 'too many files are open',
  EEXIST: 'a directory was expected, but it is a file',
};

/** The code of a failed system call; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const {code, syscall} = (error ?? {}) as {readonly code?: unknown; readonly syscall?: unknown};
  return typeof syscall === 'string' && typeof code === 'string' ? code : undefined;
}

/** Ignores a failed system call with one of these codes. */
export function passOver(error: unknown, ...codes: readonly string[]): undefined {
  if (!codes.includes(systemCode(error) ?? '')) throw error;
}

/** A failed system call as a KernelError; any other error unchanged. */
export function systemFault(
  error: unknown,
  {
    code,
    act,
    hint,
  }: {readonly code: 'INSTALL_MISSING' | 'INSTALL_UNWRITABLE'; readonly act: string; readonly hint?: string},
): unknown {
  const failed = systemCode(error);
  if (failed === undefined) return error;
  return new KernelError(code, `${act}: ${REASONS[failed] ?? messageOf(error)}.`, {
    cause: error,
    ...(hint ? {hint} : {}),
  });
}
