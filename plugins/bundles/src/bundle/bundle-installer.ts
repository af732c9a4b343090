import type {CommandParts} from '../install/installer-of-command.js';
import type {Installer} from '../install/source/installer.js';
import {openInstaller, type InstallerParts} from '../install/source/open-installer.js';

/**
 * The installer that a bundle command works with. Unlike that of `gemini plugins`, it takes no registry from a
 * variable.
 */
export async function openBundleInstaller(
  {environment, host, logToStderr}: Pick<CommandParts, 'environment' | 'host' | 'logToStderr'>,
  {scope, registry}: Pick<InstallerParts, 'scope' | 'registry'>,
): Promise<Installer> {
  const {catalog, signal} = host;
  const tell = (sentence: string): void => void (environment.interactive && logToStderr(sentence));
  return openInstaller({environment, catalog, signal, scope, registry, tell});
}
