import {existsSync, renameSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {makePrivateFolderSync} from '@gemini-kernel/files';
import {lendPackages} from '@gemini-kernel/admission/start';
import {messageOf} from '@gemini-kernel/kernel/host';
import {readCatalogFile, type OclifEntry} from './catalog-file.js';
import type {InstalledPlugin} from './installed-plugins.js';
import {warn} from './process-environment.js';
import type {InstalledCatalog, UserCatalogParts} from './user-catalog.js';

/** The catalog that an earlier start kept; undefined when it is missing, damaged or made from something else. */
export function readKeptCatalog(
  data: string,
  stampFor: (kept: InstalledCatalog) => string,
): InstalledCatalog | undefined {
  const kept = readWhole(join(data, 'catalog.json'));
  return kept && kept.stamp === stampFor(kept) && existsSync(join(data, 'commands.json')) ? kept : undefined;
}

function readWhole(file: string): InstalledCatalog | undefined {
  try {
    const value = readCatalogFile(file) as InstalledCatalog | null;
    const lists: readonly unknown[] = [
      value?.plugins,
      value?.refused,
      value?.bundles,
      value?.withheld,
      value?.required,
    ];
    const isWhole =
      lists.every(Array.isArray) &&
      value?.plugins.every(
        (one: Partial<InstalledPlugin> | null) =>
          typeof one?.root === 'string' && typeof one.manifest?.name === 'string',
      );
    return isWhole && value ? value : undefined;
  } catch {
    // Missing or damaged: it is compiled again from what is installed.
    return undefined;
  }
}

export interface Keeping {
  readonly catalog: InstalledCatalog;
  readonly commands: readonly OclifEntry[];
  /** Whether the next start must compile again, although no mark shows it. */
  readonly isSpoiled: boolean;
}

/** Keeps a compiled catalog for the next start, and lends installed plugins the packages of the program. */
export function keepCatalog({catalog, commands, isSpoiled}: Keeping, {data, installs}: UserCatalogParts): void {
  try {
    // The administrator's store is lent to when a bundle is applied there.
    lendPackages(installs.user.store, installs.program);
    store(join(data, 'commands.json'), commands);
    // The catalog's stamp says that both are there, so it comes last.
    if (!isSpoiled) store(join(data, 'catalog.json'), catalog);
  } catch (error) {
    warn(
      `What is known of the installed plugins cannot be kept in ${data}, so every start reads it again: ` +
        `${messageOf(error)}`,
    );
  }
}

function store(path: string, value: unknown): void {
  makePrivateFolderSync(dirname(path));
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(value), {mode: 0o600});
  renameSync(temporary, path);
}
