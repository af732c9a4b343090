import {createRequire} from 'node:module';
import {KernelError} from '@gemini-kernel/kernel';
import {oneLine} from '../../one-line.js';
import {rulesOf} from '../judge/judge-rules.js';
import type {Installer} from '../source/installer.js';
import type {NpmOptions} from '../source/read-npm-options.js';

/** A package and the dependencies it declares. */
export interface Needing {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[] | boolean;
}

/**
 * Throws KernelError INSTALL_INCOMPLETE when a package depends on an address, a repository or a folder: npm would
 * fetch it before any rule is checked.
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
      // A version that npm cannot read is not a version in a registry either.
      return false;
    }
  };
  const foreign = Object.entries({...peerDependencies, ...dependencies, ...optionalDependencies}).find(
    ([one, wanted]) => !isBrought(one) && !isOfRegistry(one, wanted),
  );
  if (!foreign) return;
  throw new KernelError(
    'INSTALL_INCOMPLETE',
    `${name} ${version} needs ${oneLine(foreign[0], 80)} from ${oneLine(String(foreign[1]), 120)}, which ` +
      'is not a version in a registry.',
    {
      hint: 'A plugin can include such a package: list it in bundleDependencies in its package.json.',
    },
  );
}

/** A git that does not exist, and the equivalent option of newer npm versions. */
const NOTHING_ELSE = {
  npm_config_git: 'git-is-not-asked',
  npm_config_allow_git: 'none',
  npm_config_allow_remote: 'none',
  npm_config_allow_file: 'none',
  npm_config_allow_directory: 'none',
};
/** A port that no program listens on. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * Variables that make npm ask only the configured registries for dependencies. Where an administrator has rules about
 * sources, older versions of npm see every other host behind a proxy that does not exist; the user's own proxy still
 * works.
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
