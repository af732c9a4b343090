import {KernelError, type Services} from '@gemini-kernel/kernel';
import type {Catalog} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Terminal} from './contract.js';

interface Choosing {
  readonly catalog: Catalog;
  readonly terminal: Terminal;
  service<N extends `ui:${string}` | 'settings'>(name: N): Promise<Services[N]>;
}

/** The user interface that the settings name, or the first that suits the terminal. Throws KernelError UI_MISSING. */
export async function chooseInterface({catalog, terminal, service}: Choosing): Promise<`ui:${string}`> {
  const names = [...catalog.services.keys()].filter((name): name is `ui:${string}` => name.startsWith('ui:'));
  const wanted = await (await service('settings')).get('ui.mode');
  const named = names.find((one) => one === `ui:${String(wanted)}`);
  if (named !== undefined) return named;
  for (const name of names) {
    const ui = await service(name);
    if ((await ui.suits?.(terminal)) !== false) return name;
  }
  throw new KernelError('UI_MISSING', 'No installed plugin provides a user interface.', {
    hint: 'Install one that provides ui:…, or use --prompt.',
  });
}
