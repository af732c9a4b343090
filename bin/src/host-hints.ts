/** What this program offers where the kernel, which knows no command, says only what happened: a hint by error code. */
export const hostHints: Readonly<Record<string, string>> = {
  GUARDS_UNPROVEN: 'Run gemini doctor to see every guard, or start without --require-guards.',
  SERVICE_FAILED: 'Run gemini doctor to see the state of every plugin.',
  SERVICE_MISSING: 'Run gemini doctor to see which plugins were left out, and why.',
};
