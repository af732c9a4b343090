import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {execPath} from 'node:process';
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';

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

interface NpmConfig {
  load(): Promise<void>;
  readonly flat: Omit<NpmOptions, 'publicRegistry' | 'proxyVariables'>;
}

interface Definitions {
  readonly definitions: {readonly registry: {readonly default: string}};
  readonly shorthands: object;
  readonly flatten: object;
}

type ConfigClass = new (parts: object) => NpmConfig;

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
export async function readNpmOptions({
  environment: {variables, platform},
  project,
  registry,
}: NpmOptionsParts): Promise<NpmOptions> {
  const load = createRequire(import.meta.url);
  const Config = load('@npmcli/config') as ConfigClass;
  const {definitions, shorthands, flatten} = load('@npmcli/config/lib/definitions') as Definitions;
  const npmPath = dirname(dirname(load.resolve('@npmcli/config')));
  // A global installation is what npm calls one that no project has a say in.
  const argv = [
    'node',
    'npm',
    ...(project === undefined ? ['--global'] : []),
    ...(registry ? [`--registry=${registry}`] : []),
  ];
  const parts = {
    definitions,
    shorthands,
    flatten,
    npmPath,
    platform,
    execPath,
    env: {...variables},
    argv,
    cwd: project ?? npmPath,
  };
  try {
    const config = new Config(parts);
    await config.load();
    return {
      ...config.flat,
      publicRegistry: definitions.registry.default,
      proxyVariables: proxiesIn(variables),
    } as NpmOptions;
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
