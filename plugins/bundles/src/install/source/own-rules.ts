import {readManagedRules} from '@gemini-kernel/admission';
import type {ServiceContext} from '@gemini-kernel/kernel';
import {publishedSchema} from '../../published-schema.js';
import type {Installer} from './installer.js';
import {readNpmOptions, type NpmOptions} from './read-npm-options.js';

/** The administrator's rules, for a service that installs nothing. */
export type OwnRules = Pick<Installer, 'environment' | 'managed' | 'now'>;

export async function readOwnRules({
  environment,
  service,
}: Pick<ServiceContext, 'environment' | 'service'>): Promise<OwnRules> {
  const installs = await (await service('installs')).places();
  const {rules: folder, owner} = installs.system;
  return {
    environment: {...environment, installs},
    managed: await readManagedRules({folder, owner}, await publishedSchema('managed')),
    now: () => new Date(),
  };
}

/** The person's npm configuration, without that of a project. */
export function readOwnNpm({environment}: Pick<ServiceContext, 'environment'>): Promise<NpmOptions> {
  const registry = environment.variables['GEMINI_NPM_REGISTRY'];
  return readNpmOptions({environment, project: undefined, registry});
}
