import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {execPath} from 'node:process';
import type {Environment} from '@gemini-kernel/kernel';

/** npm's configuration as npm's own library reads it. */
export interface NpmConfig {
  readonly config: LoadedConfig;
  /** The registry when the user configured none. */
  readonly publicRegistry: string;
}

interface LoadedConfig {
  /** In the form that npm's other libraries take. */
  readonly flat: Readonly<Record<string, unknown>>;
  /** The source of each value: `default`, `cli`, `env`, `user` and others. */
  readonly data: ReadonlyMap<string, {readonly data: object}>;
}

export interface NpmConfigPlace {
  /** A folder whose .npmrc also applies; undefined when there is no such folder. */
  readonly project: string | undefined;
  /** Flags, as npm would be given them. */
  readonly flags?: readonly string[];
}

type ConfigClass = new (parts: object) => LoadedConfig & {load(): Promise<void>};

interface Definitions {
  readonly definitions: {readonly registry: {readonly default: string}};
  readonly shorthands: object;
  readonly flatten: object;
}

/**
 * Reads `npm_config_*` and the .npmrc files of the project, the user and the machine, as npm does. Throws the error of
 * npm's library when one cannot be read.
 */
export async function loadNpmConfig(
  {variables, platform}: Pick<Environment, 'variables' | 'platform'>,
  {project, flags = []}: NpmConfigPlace,
): Promise<NpmConfig> {
  const load = createRequire(import.meta.url);
  const Config = load('@npmcli/config') as ConfigClass;
  const {definitions, shorthands, flatten} = load('@npmcli/config/lib/definitions') as Definitions;
  const npmPath = dirname(dirname(load.resolve('@npmcli/config')));
  // npm calls an installation global when no project's configuration applies.
  const argv = ['node', 'npm', ...(project === undefined ? ['--global'] : []), ...flags];
  const config = new Config({
    definitions,
    shorthands,
    flatten,
    npmPath,
    platform,
    execPath,
    env: {...variables},
    argv,
    cwd: project ?? npmPath,
  });
  await config.load();
  return {config, publicRegistry: definitions.registry.default};
}
