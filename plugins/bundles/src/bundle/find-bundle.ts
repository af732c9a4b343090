import {existsSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {openBundle, type OpenBundle} from './open-bundle.js';
import type {Surroundings} from '../surroundings.js';

/**
 * Opens the bundle at a path or, if the path does not exist, the applied bundle of that name: the administrator's
 * before yours.
 */
export async function findBundle(
  place: string,
  {cwd, installs}: Pick<Surroundings, 'cwd' | 'installs'>,
): Promise<OpenBundle> {
  const path = resolve(cwd, place);
  if (existsSync(path) || !/^[a-z][a-z0-9-]*$/.test(place)) return openBundle(path);
  const applied = [installs.system, installs.user]
    .map(({bundles}) => join(bundles, place))
    .find((folder) => existsSync(folder));
  return openBundle(applied ?? path);
}
