import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {loadNpmConfig} from './load-npm-config.js';

/**
 * npm's configuration in the form that npm's own libraries take: registries by scope, tokens by host, proxies,
 * certificates.
 */
export type NpmOptions = Readonly<Record<string, unknown>> & {
  readonly registry: string;
  readonly proxy?: string | null;
  readonly httpsProxy?: string | null;
  readonly noProxy?: string | readonly string[];
  readonly cache?: string;
  readonly timeout?: number;
  /** The default registry; archives that a mirror says are there are fetched from the mirror. */
  readonly publicRegistry: string;
  /** Proxy variables in lower case, used where npm's configuration names no proxy. */
  readonly proxyVariables: Readonly<Record<string, string | undefined>>;
};

export interface NpmOptionsParts {
  readonly environment: Pick<Environment, 'variables' | 'platform' | 'home'>;
  /** A folder whose .npmrc also applies; undefined when there is no such folder. */
  readonly project: string | undefined;
  /** Instead of the configured one. */
  readonly registry: string | undefined;
}

/**
 * Reads `npm_config_*` and the .npmrc files of the project, the user and the machine, as npm does. Throws KernelError
 * INSTALL_UNREACHABLE when one cannot be read.
 */
export async function readNpmOptions({environment, project, registry}: NpmOptionsParts): Promise<NpmOptions> {
  try {
    const flags = registry ? [`--registry=${registry}`] : [];
    const {config, publicRegistry} = await loadNpmConfig(environment, {project, flags});
    // npm's definitions guarantee it.
    return {...config.flat, publicRegistry, proxyVariables: proxiesIn(environment.variables)} as NpmOptions;
  } catch (cause) {
    throw new KernelError('INSTALL_UNREACHABLE', `Cannot read npm's configuration: ${messageOf(cause)}`, {
      cause,
      hint: 'Run `npm config list` to see its files.',
    });
  }
}

function proxiesIn(variables: Environment['variables']): NpmOptions['proxyVariables'] {
  const named = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    named.filter(([name, value]) => value && /^(https_proxy|http_proxy|proxy|no_proxy)$/.test(name)),
  );
}
