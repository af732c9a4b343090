import {KernelError} from '@gemini-kernel/kernel';
import {MOST_DEATHS} from './deaths.js';

/** For what waited for a process that has ended. */
export function diedError(plugin: string, reason: string): KernelError {
  return new KernelError('PLUGIN_DIED', `The process of ${plugin} ended: ${reason}.`, {
    hint: `It is started again when it is needed. If it ends again, update or uninstall ${plugin}.`,
  });
}

/** For what needs a plugin whose processes ended too often. */
export function leftOutError(plugin: string, last = 'it ended'): KernelError {
  return new KernelError(
    'PLUGIN_LEFT_OUT',
    `${plugin} is left out: its process ended ${MOST_DEATHS} times in a minute: ${last}.`,
    {hint: `Update or uninstall ${plugin}; a new session tries it again.`},
  );
}

/** How a process ended, as the end of a sentence. */
export function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `it was ended by ${signal}` : `it exited with ${String(code)}`;
}
