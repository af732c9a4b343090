import type {LockedPlugin} from '@gemini-kernel/admission';
import type {Installer} from './installer.js';
import type {WantedPlugin} from './parse-spec.js';

/** The exact version that a lock names, from its source; undefined for a link or a plugin of a bundle. */
export function exactlyAsLocked(name: string, {source, version}: LockedPlugin): WantedPlugin | undefined {
  if (source.type === 'registry') return {type: 'registry', name, wanted: version, isExact: true};
  if (source.type === 'git') return {type: 'git', location: source.location, wanted: source.commit, name};
  return source.type === 'tarball' || source.type === 'folder'
    ? {type: source.type, location: source.location, name}
    : undefined;
}

/** The spec that a plugin was installed with, to request it again; undefined for a link or a plugin of a bundle. */
export function askedForAgain(name: string, {source}: LockedPlugin): WantedPlugin | undefined {
  if (source.type === 'registry')
    return {type: 'registry', name, wanted: source.wanted, isExact: /^\d+\.\d+\.\d+/.test(source.wanted)};
  if (source.type === 'git') {
    const range = /^semver:(.*)$/.exec(source.wanted ?? '')?.[1];
    return {
      type: 'git',
      location: source.location,
      name,
      ...(range ? {range} : source.wanted ? {wanted: source.wanted} : {}),
    };
  }
  return source.type === 'tarball' || source.type === 'folder'
    ? {type: source.type, location: source.location, name}
    : undefined;
}

/** An installer that uses the registry a plugin came from, whatever is configured today. */
export function fromItsRegistry(installer: Installer, name: string, {source}: LockedPlugin): Installer {
  if (source.type !== 'registry') return installer;
  const {registry} = source;
  const scope = name.startsWith('@') ? name.split('/')[0] : undefined;
  return {
    ...installer,
    npm: async () => ({...(await installer.npm()), ...(scope ? {[`${scope}:registry`]: registry} : {registry})}),
  };
}
