import {KernelError} from '@gemini-kernel/kernel';
import type {Catalog} from '@gemini-kernel/kernel/host';

/** The user interface that the settings name, or the first. Throws KernelError UI_MISSING. */
export function chooseInterface({services}: Catalog, wanted: unknown): `ui:${string}` {
  const names = [...services.keys()].filter((name): name is `ui:${string}` => name.startsWith('ui:'));
  const name = names.find((one) => one === `ui:${String(wanted)}`) ?? names[0];
  if (name !== undefined) return name;
  throw new KernelError('UI_MISSING', 'No installed plugin provides a user interface.', {
    hint: 'Install one that provides ui:…, or use --prompt.',
  });
}
