/** The code of a failed system call; any other error is a bug, and is rethrown. */
export function systemCodeOf(error: unknown): string {
  // No `instanceof`: errors of the system may come from another realm.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  throw error;
}
