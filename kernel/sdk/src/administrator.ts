import {readdirSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {platform} from 'node:os';
import {findPlaces, readManagedRules, type ManagedReading} from '@gemini-kernel/admission/start';
import {KernelError, messageOf, type JSONSchema} from '@gemini-kernel/kernel';
import type {Catalog} from '@gemini-kernel/kernel/host';

/** What the administrator of this machine says of plugins. No option of a program moves these places. */
export interface Administrator {
  readonly managed: ManagedReading;
  /** Plugins of the product that are blocked by name. */
  readonly blocked: readonly string[];
  readonly required: readonly string[];
}

/**
 * Reads the administrator's rules. Throws KernelError MANAGED_UNMET where they cannot be relied on, or ask for what
 * only the program gemini can load.
 */
export async function readAdministrator(system = findSystem()): Promise<Administrator> {
  const schema = createRequire(import.meta.url)('@gemini-kernel/manifests/schemas/managed.schema.json') as JSONSchema;
  const managed = await readManagedRules({folder: system.rules, owner: system.owner}, schema);
  if (managed.kind === 'unreadable')
    throw unmet(`The administrator's rules cannot be relied on: ${managed.reason}.`, 'Ask the administrator.');
  const installed = [system.lock, system.bundles].find(holdsAnything);
  if (installed !== undefined)
    throw unmet(
      `The administrator has installed plugins or bundles (${installed}), which an agent of the SDK cannot load.`,
      'Run gemini itself, which loads them: gemini -p, gemini --acp or gemini mcp serve.',
    );
  const named = managed.kind === 'rules' ? Object.entries(managed.rules.plugins) : [];
  const namesOf = (...modes: readonly string[]): readonly string[] =>
    named.filter(([name, {mode}]) => modes.includes(mode ?? '') && !name.includes('*')).map(([name]) => name);
  return {managed, blocked: namesOf('blocked', 'removed'), required: namesOf('required')};
}

/** Throws KernelError MANAGED_UNMET when a plugin that the administrator requires is not in the catalog. */
export function requireManaged({required}: Administrator, {plugins}: Catalog): void {
  const missing = required.filter((name) => !plugins.has(name));
  if (missing.length > 0)
    throw unmet(
      `The administrator requires ${missing.join(' and ')}, which this agent does not have.`,
      'Give it in the option plugins, or run gemini itself.',
    );
}

function findSystem(): ReturnType<typeof findPlaces>['installs']['system'] {
  return findPlaces({platform: platform(), user: '/', variables: {}}).installs.system;
}

/** Whether there is a file, or a folder with something in it; a folder that cannot be read may hold anything. */
function holdsAnything(path: string): boolean {
  const found = statSync(path, {throwIfNoEntry: false});
  if (!found?.isDirectory()) return found !== undefined;
  try {
    return readdirSync(path).length > 0;
  } catch (cause) {
    throw unmet(`${path} of the administrator cannot be read: ${messageOf(cause)}.`, 'Ask the administrator.');
  }
}

function unmet(sentence: string, hint: string): KernelError {
  return new KernelError('MANAGED_UNMET', sentence, {hint});
}
