import {createRequire} from 'node:module';
import {KernelError} from '@gemini-kernel/kernel';
import {oneLine} from '../../one-line.js';
import {rulesOf} from '../judge/judge-rules.js';
import type {Installer} from '../source/installer.js';
import type {NpmOptions} from '../source/read-npm-options.js';

/** A package that needs others, as it says itself. */
export interface Needing {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[] | boolean;
}

/**
 * Throws KernelError INSTALL_INCOMPLETE when a package needs what comes from an address, a repository or a folder: npm
 * would ask for it before any rule is asked.
 */
export function refuseForeign({
  name,
  version = '',
  dependencies,
  optionalDependencies,
  peerDependencies,
  bundleDependencies = [],
}: Needing): void {
  const readSpec = createRequire(import.meta.url)('npm-package-arg') as (spec: string) => {readonly registry?: boolean};
  const isBrought = (one: string): boolean =>
    bundleDependencies === true || (bundleDependencies !== false && bundleDependencies.includes(one));
  const isOfRegistry = (one: string, wanted: unknown): boolean => {
    try {
      return typeof wanted === 'string' && readSpec(`${one}@${wanted}`).registry === true;
    } catch {
      // What npm cannot read either is no version in a registry.
      return false;
    }
  };
  const foreign = Object.entries({...peerDependencies, ...dependencies, ...optionalDependencies}).find(
    ([one, wanted]) => !isBrought(one) && !isOfRegistry(one, wanted),
  );
  if (!foreign) return;
  throw new KernelError(
    'INSTALL_INCOMPLETE',
    `${name} ${version} needs ${oneLine(foreign[0], 80)} from ${oneLine(String(foreign[1]), 120)}, which is no ` +
      'version in a registry.',
    {
      hint: 'A plugin can bring such a package along: bundleDependencies in its package.json.',
    },
  );
}

/** A git that is not there, and what newer versions of npm have for it. */
const NOTHING_ELSE = {
  npm_config_git: 'git-is-not-asked',
  npm_config_allow_git: 'none',
  npm_config_allow_remote: 'none',
  npm_config_allow_file: 'none',
  npm_config_allow_directory: 'none',
};
/** The port that nothing listens at. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * Variables with which npm asks the configured registries, and nobody else, for what a package needs. Where an
 * administrator has rules about sources, older versions of npm find every other host behind a proxy that is not there;
 * a person's own proxy stays.
 */
export function registriesOnly(
  installer: Pick<Installer, 'managed' | 'environment'>,
  npm: NpmOptions,
): Readonly<Record<string, string>> {
  const {allowed, blocked = []} = rulesOf(installer)?.sources ?? {};
  const isProxied =
    npm.httpsProxy ||
    npm.proxy ||
    Object.entries(installer.environment.variables).some(([name, value]) => value && /^(https?_)?proxy$/i.test(name));
  if ((allowed === undefined && blocked.length === 0) || isProxied) return NOTHING_ELSE;
  const registries = Object.entries(npm).flatMap(([key, value]) =>
    (key === 'registry' || key.endsWith(':registry')) && typeof value === 'string' && URL.canParse(value)
      ? [new URL(value).hostname]
      : [],
  );
  return {
    ...NOTHING_ELSE,
    npm_config_proxy: NOWHERE,
    npm_config_https_proxy: NOWHERE,
    npm_config_noproxy: [...new Set(registries)].join(','),
  };
}
