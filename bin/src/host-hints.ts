/**
 * What this program offers where the kernel, which knows no command, says only what happened: a hint by error code.
 * Of PLUGIN_BROKEN and HOOK_FAILED it follows what the kernel itself advises.
 */
export const hostHints: Readonly<Record<string, string>> = {
  GUARDS_UNPROVEN: 'Run gemini doctor to see every guard, or start without --require-guards.',
  HOOK_FAILED: 'If it fails again, run gemini doctor.',
  PLUGIN_BROKEN: 'Run gemini doctor to see every plugin.',
  SERVICE_FAILED: 'Run gemini doctor to see the state of every plugin.',
  SERVICE_MISSING: 'Run gemini doctor to see which plugins were left out, and why.',
};
