/** The code of a failed system call; whatever else was thrown is a bug and is thrown again. */
export function systemCodeOf(error: unknown): string {
  // No `instanceof`: errors of the system may come from another realm.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  throw error;
}
