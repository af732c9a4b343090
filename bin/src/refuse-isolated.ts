import type {CommandHost} from '@gemini-kernel/command';
import {KERNEL} from '@gemini-kernel/kernel/host';
import {hasRunner} from './elsewhere.js';
import type {Match} from './find-command.js';

/**
 * Throws KernelError PLUGIN_UNISOLATED for a command of an installed plugin that must not run in this process. Nothing
 * of the plugin is imported before.
 */
export async function refuseIsolated(command: Match['command'], host: CommandHost): Promise<void> {
  const {catalog, live} = host;
  if (catalog.plugins.get(command.plugin)?.origin !== 'user' || !hasRunner(catalog)) return;
  const kernel = live?.kernel ?? host.boot({});
  try {
    const session = live?.session ?? kernel.open();
    await kernel.load(command, 'command', (name) => session.service(name, KERNEL));
  } finally {
    if (!live) await kernel.close();
  }
}
