import {dirname, join} from 'node:path';
import type {ActiveBundle, InstallPlaces, ScopePlaces} from '@gemini-kernel/admission/contract';
import {provide, type Service} from '@gemini-kernel/kernel';

/** Places of installed plugins and bundles that are all below one folder. */
export function placesBelow(root: string, project: string): InstallPlaces {
  const scope = (name: string): ScopePlaces => ({
    lock: join(root, name, 'plugins.lock.json'),
    store: join(root, name, 'store'),
    bundles: join(root, name, 'bundles'),
  });
  return {
    user: scope('data'),
    system: {...scope('system'), rules: join(root, 'system', 'plugins.d'), owner: undefined},
    project: {lock: join(project, '.gemini', 'plugins.lock.json')},
    reserved: [],
    program: root,
  };
}

/** The service `installs` of a host that keeps everything beside the home directory. */
export const hostInstalls: Service = provide('installs', {
  version: '1.0.0',
  scope: 'place',
  create: ({environment: {home, cwd}}) => ({places: async () => placesBelow(dirname(home), cwd)}),
});

/** The service `bundles` of a host with these bundles in force. */
export function hostBundles(...bundles: readonly ActiveBundle[]): Service {
  return provide('bundles', {version: '1.0.0', scope: 'program', create: () => ({list: async () => bundles})});
}
