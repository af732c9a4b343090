import type {LockedPlugin} from '@gemini-kernel/admission';
import type {Installer} from './installer.js';
import type {WantedPlugin} from './parse-spec.js';

/** The very version that a lock names, from where it came; undefined for what only a link or a bundle brings. */
export function exactlyAsLocked(name: string, {source, version}: LockedPlugin): WantedPlugin | undefined {
  if (source.type === 'registry') return {type: 'registry', name, wanted: version, isExact: true};
  if (source.type === 'git') return {type: 'git', location: source.location, wanted: source.commit, name};
  return source.type === 'tarball' || source.type === 'folder'
    ? {type: source.type, location: source.location, name}
    : undefined;
}

/**
 * What was asked for when a plugin was installed, to be asked for again; undefined for what only a link or a bundle
 * brings.
 */
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

/** An installer that takes a plugin from the registry it came from, whatever is configured today. */
export function fromItsRegistry(installer: Installer, name: string, {source}: LockedPlugin): Installer {
  if (source.type !== 'registry') return installer;
  const {registry} = source;
  const scope = name.startsWith('@') ? name.split('/')[0] : undefined;
  return {
    ...installer,
    npm: async () => ({...(await installer.npm()), ...(scope ? {[`${scope}:registry`]: registry} : {registry})}),
  };
}
