import {ToolError, type Environment} from '@gemini-kernel/kernel';
import {findShell} from './platform.js';

/** Finds the shell that runs commands. Throws ToolError SHELL_MISSING. */
export async function requireShell(environment: Environment): Promise<string> {
  const shell = await findShell(environment);
  if (shell !== undefined) return shell;
  throw new ToolError(
    'SHELL_MISSING',
    'No shell was found on this machine: neither bash nor sh, nor PowerShell on Windows.',
    {hint: 'Work without commands, and ask the user to check PATH.'},
  );
}
