import {mkdirSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import type {LockedDependency} from '@gemini-kernel/admission';
import {runNpm} from '../fetch/run-program.js';
import type {Installer} from '../source/installer.js';
import {refuseForeign, registriesOnly, type Needing} from './registries-only.js';

/** What npm resolved for one plugin. */
const LONGEST_LOCK = 64 * 2 ** 20;

/** What a plugin needs beside it, and the latest allowed time of publication. */
export interface WantedDependencies {
  readonly plugin: {readonly name: string; readonly version: string};
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly before?: Date;
}

/** A package in npm's package-lock.json. */
export interface LockEntry extends Omit<Needing, 'name'>, Partial<LockedDependency> {
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly hasInstallScript?: boolean;
}

/** The name of the package that has this place in a package-lock.json. */
export function nameOfPlace(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/**
 * Lets the user's npm resolve which packages are needed, by place; it works below `work`. Throws KernelError
 * INSTALL_INCOMPLETE and INSTALL_PROGRAM_MISSING.
 */
export async function resolveByNpm(
  installer: Installer,
  {plugin, dependencies, optionalDependencies, before}: WantedDependencies,
  work: string,
): Promise<Readonly<Record<string, LockEntry>>> {
  const directory = join(work, 'dependencies');
  mkdirSync(directory, {recursive: true, mode: 0o755});
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({name: 'dependencies', version: '0.0.0', private: true, dependencies, optionalDependencies}),
  );
  const npm = await installer.npm();
  // The user's effective configuration applies, whatever files it came from; tokens stay in those files.
  const scopes = Object.entries(npm)
    .filter(([key, value]) => /^@[^:]+:registry$/.test(key) && typeof value === 'string')
    .map(([key, value]) => `--${key}=${String(value)}`);
  const until = before ? [`--before=${before.toISOString()}`] : [];
  const args = [
    'install',
    '--package-lock-only',
    '--ignore-scripts',
    '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--no-workspaces',
    `--registry=${npm.registry}`,
    ...scopes,
    ...until,
  ];
  const {code, stderr} = await runNpm(installer, {args, directory, variables: registriesOnly(installer, npm)});
  if (code !== 0) {
    const reason = stderr
      .split('\n')
      .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
      .filter((line) => line !== '' && !/^(code|A complete log|\S+_logs)/.test(line));
    throw new KernelError(
      'INSTALL_INCOMPLETE',
      `npm cannot find the dependencies of ${plugin.name} ${plugin.version}: ` +
        `${(reason[0] ?? 'it did not say why').replace(/\.$/, '')}.`,
      {hint: 'Installed plugins are unchanged. Run `npm view` with the name of the dependency to learn more.'},
    );
  }
  const {packages = {}} = JSON.parse(await readText(join(directory, 'package-lock.json'), {limit: LONGEST_LOCK})) as {
    packages?: Readonly<Record<string, LockEntry>>;
  };
  for (const [place, entry] of Object.entries(packages))
    if (place !== '' && !entry.inBundle) refuseForeign({...entry, name: nameOfPlace(place)});
  return packages;
}
