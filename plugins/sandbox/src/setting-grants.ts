import {isAbsolute, join} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Grant} from './contract.js';
import allowedHosts from './settings/allowed-hosts.js';

/**
 * What settings let confined programs reach, without what the project says. The network is off unless a
 * setting says true.
 */
export async function settingGrants({home}: Pick<Environment, 'home'>, settings: Settings): Promise<readonly Grant[]> {
  const [sandbox, paths, network] = await Promise.all(
    ['tools.sandbox', 'tools.sandboxAllowedPaths', 'tools.sandboxNetworkAccess'].map((key) => settings.getApart(key)),
  );
  const hosts = await settings.value(allowedHosts, {apart: true});
  const {allowedPaths, networkAccess} = (typeof sandbox === 'object' && sandbox !== null ? sandbox : {}) as {
    readonly allowedPaths?: unknown;
    readonly networkAccess?: unknown;
  };
  return [
    ...write('tools.sandbox.allowedPaths', allowedPaths, home),
    ...write('tools.sandboxAllowedPaths', paths, home),
    ...(hosts.length > 0 ? [{from: allowedHosts.key, network: hosts}] : []),
    ...(networkAccess === true ? [{from: 'tools.sandbox.networkAccess', network: true}] : []),
    ...(network === true ? [{from: 'tools.sandboxNetworkAccess', network: true}] : []),
  ];
}

function write(from: string, paths: unknown, home: string): readonly Grant[] {
  const texts = Array.isArray(paths) ? paths.filter((path): path is string => typeof path === 'string') : [];
  const absolute = texts
    .map((path) => (path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path))
    .filter((path) => isAbsolute(path));
  return absolute.length > 0 ? [{from, write: absolute}] : [];
}
