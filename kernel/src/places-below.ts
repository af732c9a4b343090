import {join} from 'node:path';
import type {InstallPlaces, ScopePlaces} from './contract/environment.js';

/**
 * Places of installed plugins and bundles that are all below one folder, for programs that install nothing by
 * themselves.
 */
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
