import {KernelError} from '@gemini-kernel/kernel';

/** KernelError PLUGIN_NOT_INSTALLED for a name; `names` are the installed ones. */
export function notInstalled(name: string, names: readonly string[]): KernelError {
  return new KernelError('PLUGIN_NOT_INSTALLED', `${name} is not installed.`, {
    hint: names.length > 0 ? `Installed: ${names.join(', ')}.` : 'No plugins are installed.',
  });
}
