import type {Environment} from '@gemini-kernel/kernel';
import type {ShellKind} from '../contract.js';

/** The shell that `run_shell_command` uses; sh takes the same quotes as bash. */
export function shellOf({platform}: Pick<Environment, 'platform'>): ShellKind {
  return platform === 'win32' ? 'powershell' : 'bash';
}
