import {KernelError} from '@gemini-kernel/kernel';
import type {ExtensionInfo} from './contract.js';

/** The extension of a name. Throws KernelError EXTENSION_UNKNOWN. */
export function findExtension(extensions: readonly ExtensionInfo[], name: string): ExtensionInfo {
  const found = extensions.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = extensions.map((one) => one.name).join(', ');
  throw new KernelError('EXTENSION_UNKNOWN', `There is no extension "${name}".`, {
    hint: names === '' ? 'Install one with `gemini extensions install <source>`.' : `There are: ${names}.`,
  });
}
