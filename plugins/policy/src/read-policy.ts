import type {ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/admission/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import {collectBrought} from './collect-brought.js';
import {loadLimits, loadPolicy, type LoadedPolicy} from './load-policy.js';
import type {SandboxLimits} from './rule.js';

/** Reads the rules that count for a session; with names of tools, misspelt ones are reported. */
export async function readPolicy(context: ServiceContext, knownTools?: readonly string[]): Promise<LoadedPolicy> {
  return loadPolicy({...(await findSources(context)), ...(knownTools ? {knownTools} : {})});
}

/** Reads what the files named `sandbox.toml` say about commands in the sandbox. Throws as `loadLimits` does. */
export async function readLimits(context: ServiceContext): Promise<readonly SandboxLimits[]> {
  return loadLimits(await findSources(context));
}

async function findSources(context: ServiceContext): Promise<Parameters<typeof loadPolicy>[0]> {
  const {environment, service, names} = context;
  const [settings, configFiles, defaults, trust] = await Promise.all([
    service('settings'),
    service('config-files'),
    service('default-rules'),
    service('trust'),
  ]);
  const has = (name: string): boolean => names(name).length > 0;
  return {
    environment,
    settings,
    configFiles,
    defaults,
    installs: has('installs') ? await (await service('installs')).places() : undefined,
    bundles: has('bundles') ? await (await service('bundles')).list() : [],
    brought: await collectBrought(context),
    isTrusted: await trust.may('policies'),
  };
}
