import type {CommandHost} from '@gemini-kernel/command';
import {KERNEL, type Catalog} from '@gemini-kernel/kernel/host';
import {hasRunner} from './elsewhere.js';

type Command = NonNullable<ReturnType<Catalog['commands']['get']>>;

/**
 * Throws KernelError PLUGIN_UNISOLATED for a command of an installed plugin that must not run in this process. Nothing
 * of the plugin is imported before.
 */
export async function refuseIsolated(command: Command, host: CommandHost): Promise<void> {
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
