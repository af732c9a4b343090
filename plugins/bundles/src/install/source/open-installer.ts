import {dirname} from 'node:path';
import {readManagedRules} from '@gemini-kernel/admission';
import type {Catalog} from '@gemini-kernel/kernel/host';
import {publishedSchema} from '../../published-schema.js';
import type {Installer, InstallScope} from './installer.js';
import {readNpmOptions, type NpmOptions} from './read-npm-options.js';
import type {Surroundings} from '../../surroundings.js';

export interface InstallerParts {
  readonly environment: Surroundings;
  readonly catalog: Pick<Catalog, 'plugins' | 'host'>;
  readonly signal: AbortSignal;
  readonly scope: InstallScope;
  /** Instead of the configured registry. */
  readonly registry?: string | undefined;
  /** Whether the project's .npmrc may choose where its plugins come from. */
  readonly isTrusted?: boolean;
  tell(sentence: string): void;
}

/** Reads what every step of an installation needs; npm's configuration only when something has to be fetched. */
export async function openInstaller({
  environment,
  catalog,
  signal,
  scope,
  registry,
  isTrusted = false,
  tell,
}: InstallerParts): Promise<Installer> {
  const {installs} = environment;
  const [plugin, lock, managed] = await Promise.all([
    publishedSchema('plugin'),
    publishedSchema('plugins-lock'),
    publishedSchema('managed'),
  ]);
  // A project's trees are in the user's store: a checkout of the project contains the lock, not the trees.
  const places = {
    lock: scope === 'project' ? installs.project.lock : installs[scope].lock,
    store: scope === 'system' ? installs.system.store : installs.user.store,
  };
  const project = scope === 'project' && isTrusted ? dirname(dirname(installs.project.lock)) : undefined;
  let npm: Promise<NpmOptions> | undefined;
  return {
    environment,
    scope,
    ...places,
    signal,
    host: catalog.host,
    tell,
    schemas: {plugin, lock},
    managed: await readManagedRules({folder: installs.system.rules, owner: installs.system.owner}, managed),
    present: [...catalog.plugins.values()],
    npm: () => (npm ??= readNpmOptions({environment, project, registry})),
    now: () => new Date(),
  };
}
