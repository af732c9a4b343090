import type {ActiveBundle, InstallPlaces} from '@gemini-kernel/admission/contract';
import {provide, type Service} from '@gemini-kernel/kernel';
import type {ServiceEntry} from '@gemini-kernel/kernel/host';
import {projectLock} from './process-environment.js';

/** The services that this program provides to plugins of the product, as its catalog lists them. */
export const hostServices: readonly ServiceEntry[] = [
  {name: 'installs', version: '1.0.0', scope: 'place', reserved: true, module: 'host:installs'},
  {name: 'bundles', version: '1.0.0', scope: 'program', reserved: true, module: 'host:bundles'},
];

interface Installed {
  readonly places: InstallPlaces;
  readonly bundles: readonly ActiveBundle[];
}

/** The modules of these services, by what the catalog calls them. */
export function createHostModules({places, bundles}: Installed): ReadonlyMap<string, {readonly default: Service}> {
  const installs = provide('installs', {
    version: '1.0.0',
    scope: 'place',
    create: ({environment}) => ({places: async () => ({...places, project: {lock: projectLock(environment.cwd)}})}),
  });
  const active = provide('bundles', {version: '1.0.0', scope: 'program', create: () => ({list: async () => bundles})});
  return new Map<string, {readonly default: Service}>([
    ['host:installs', {default: installs}],
    ['host:bundles', {default: active}],
  ]);
}
