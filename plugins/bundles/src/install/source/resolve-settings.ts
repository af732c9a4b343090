import type {Installer} from './installer.js';
import {loadNpmConfig} from './load-npm-config.js';

/**
 * npm settings that change where and how it sends requests, what it prints and what it runs, but not which versions it
 * chooses.
 */
const HARMLESS = new Set([
  'registry',
  'proxy',
  'https-proxy',
  'http-proxy',
  'noproxy',
  'no-proxy',
  'ca',
  'cafile',
  'cert',
  'key',
  'strict-ssl',
  'local-address',
  'maxsockets',
  'user-agent',
  'cache',
  'fetch-retries',
  'fetch-retry-factor',
  'fetch-retry-maxtimeout',
  'fetch-retry-mintimeout',
  'fetch-timeout',
  'email',
  'always-auth',
  'username',
  '_auth',
  '_authtoken',
  '_password',
  'auth-type',
  'otp',
  'userconfig',
  'globalconfig',
  'prefix',
  'local-prefix',
  'global-prefix',
  'global',
  'npm-version',
  'init-module',
  'node-gyp',
  'nodedir',
  'python',
  'ignore-scripts',
  'foreground-scripts',
  'scripts-prepend-node-path',
  'script-shell',
  'shell',
  'editor',
  'browser',
  'viewer',
  'yes',
  'audit',
  'audit-level',
  'fund',
  'update-notifier',
  'loglevel',
  'logs-dir',
  'logs-max',
  'color',
  'progress',
  'unicode',
  'timing',
  'heading',
  'json',
  'long',
  'parseable',
  'save-exact',
  'save-prefix',
  'access',
  'provenance',
  'message',
  'git-tag-version',
  'tag-version-prefix',
  'sign-git-tag',
  'sign-git-commit',
  'commit-hooks',
]);
const HARMLESS_KINDS = /^(@[^:]+:registry$|\/\/|init[-.])/i;

/**
 * The names of the user's npm settings that may change which versions npm chooses, including all unknown ones:
 * `before`, `min-release-age`, `tag`, `omit`, `install-strategy` and any that npm adds later. Throws the errors of
 * reading the configuration.
 */
export async function resolveSettings({environment}: Pick<Installer, 'environment'>): Promise<readonly string[]> {
  // npm would work in a separate folder, where no project's configuration applies.
  const {config} = await loadNpmConfig(environment, {project: undefined});
  const configured = [...config.data].flatMap(([where, {data}]) =>
    where === 'default' || where === 'cli' ? [] : Object.keys(data),
  );
  return [...new Set(configured)].filter(
    (name) => !HARMLESS.has(name.toLowerCase().replaceAll(/(?!^)_/g, '-')) && !HARMLESS_KINDS.test(name),
  );
}
