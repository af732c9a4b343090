/** What is no longer there, or no longer what it was when its directory was listed. */
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EAGAIN']);

/**
 * Whether a failed call of the system means that a path is `gone`, or there and `unreadable`. Throws any other
 * error again.
 */
export function judgeFailure(error: unknown): 'gone' | 'unreadable' {
  const {code, syscall} = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw error;
  return GONE.has(code) ? 'gone' : 'unreadable';
}
