import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {loadNpmConfig} from './load-npm-config.js';

/** npm's configuration as npm's own libraries take it: registries of scopes, tokens by host, proxies, certificates. */
export type NpmOptions = Readonly<Record<string, unknown>> & {
  readonly registry: string;
  readonly proxy?: string | null;
  readonly httpsProxy?: string | null;
  readonly noProxy?: string | readonly string[];
  readonly cache?: string;
  readonly timeout?: number;
  /** The registry of who configured none; archives that a mirror says are there are fetched from the mirror. */
  readonly publicRegistry: string;
  /** The variables of proxies, in lower case, which count where npm's configuration names none. */
  readonly proxyVariables: Readonly<Record<string, string | undefined>>;
};

export interface NpmOptionsParts {
  readonly environment: Pick<Environment, 'variables' | 'platform' | 'home'>;
  /** A folder whose own .npmrc counts too; undefined when none may. */
  readonly project: string | undefined;
  /** Instead of the configured one. */
  readonly registry: string | undefined;
}

/**
 * Reads `npm_config_*`, and the .npmrc of a project, the person and the machine, as npm does. Throws KernelError
 * INSTALL_UNREACHABLE when one cannot be read.
 */
export async function readNpmOptions({environment, project, registry}: NpmOptionsParts): Promise<NpmOptions> {
  try {
    const flags = registry ? [`--registry=${registry}`] : [];
    const {config, publicRegistry} = await loadNpmConfig(environment, {project, flags});
    // npm's definitions say so.
    return {...config.flat, publicRegistry, proxyVariables: proxiesIn(environment.variables)} as NpmOptions;
  } catch (cause) {
    throw new KernelError('INSTALL_UNREACHABLE', `The configuration of npm cannot be read: ${messageOf(cause)}`, {
      cause,
      hint: 'npm config list says which files it has.',
    });
  }
}

function proxiesIn(variables: Environment['variables']): NpmOptions['proxyVariables'] {
  const named = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    named.filter(([name, value]) => value && /^(https_proxy|http_proxy|proxy|no_proxy)$/.test(name)),
  );
}
