import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {execPath} from 'node:process';
import type {Environment} from '@gemini-kernel/kernel';

/** npm's configuration as npm's own library reads it. */
export interface NpmConfig {
  readonly config: LoadedConfig;
  /** The registry of a person who configured none. */
  readonly publicRegistry: string;
}

interface LoadedConfig {
  /** As npm's other libraries take it. */
  readonly flat: Readonly<Record<string, unknown>>;
  /** What is written where: `default`, `cli`, `env`, `user` and others. */
  readonly data: ReadonlyMap<string, {readonly data: object}>;
}

export interface NpmConfigPlace {
  /** A folder whose own .npmrc counts too; undefined when none may. */
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
 * Reads `npm_config_*`, and the .npmrc of a project, the person and the machine, as npm does. Throws what npm's library
 * throws when one cannot be read.
 */
export async function loadNpmConfig(
  {variables, platform}: Pick<Environment, 'variables' | 'platform'>,
  {project, flags = []}: NpmConfigPlace,
): Promise<NpmConfig> {
  const load = createRequire(import.meta.url);
  const Config = load('@npmcli/config') as ConfigClass;
  const {definitions, shorthands, flatten} = load('@npmcli/config/lib/definitions') as Definitions;
  const npmPath = dirname(dirname(load.resolve('@npmcli/config')));
  // A global installation is what npm calls one that no project has a say in.
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
