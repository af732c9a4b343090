import {cp, mkdir, readFile, readdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createCatalog} from '@gemini-kernel/kernel/host';
import type {ManagedRules, PluginsLock} from '@gemini-kernel/admission';
import {dataFolder} from '../../../helpers/install-plugins.js';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {checkout} from '../../../helpers/plugin-root.js';
import {serveRegistry, type Registry} from '../../../helpers/registry.js';
import {runGemini, type RunResult} from '../../../helpers/run-gemini.js';
import {installPlugin, type InstalledPlugin} from '#plugins/bundles/dist/install/install-plugin.js';
import {verifyPlugins} from '#plugins/bundles/dist/install/report/verify-plugins.js';
import type {Installer} from '#plugins/bundles/dist/install/source/installer.js';
import {openInstaller} from '#plugins/bundles/dist/install/source/open-installer.js';
import {parseSpec} from '#plugins/bundles/dist/install/source/parse-spec.js';
import type {Surroundings} from '#plugins/bundles/dist/surroundings.js';

/** A person with a home, a project and a registry. */
export interface InstallScene {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly registry: Registry;
  readonly data: string;
  readonly store: string;
  readonly variables: Readonly<Record<string, string>>;
  gemini(...args: readonly string[]): Promise<RunResult>;
  geminiWith(
    options: {readonly home?: string; readonly variables?: Readonly<Record<string, string>>},
    ...args: readonly string[]
  ): Promise<RunResult>;
  /** Name and version of what the lock has. */
  installed(): Promise<Readonly<Record<string, string>>>;
  lock(): Promise<PluginsLock | undefined>;
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** What lies in the store, without what begins with a dot. */
  stored(): Promise<readonly string[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function makeInstallScene(): Promise<InstallScene> {
  const folder = await makeFolder();
  const [home, project] = [join(folder.path, 'home'), join(folder.path, 'project')];
  const registry = await serveRegistry();
  await Promise.all([mkdir(home), mkdir(project)]);
  const data = dataFolder(home);
  const own = {npm_config_registry: registry.url, npm_config_cache: join(folder.path, 'npm-cache')};
  const geminiWith: InstallScene['geminiWith'] = ({home: other = home, variables = {}}, ...args) =>
    runGemini(args, {cwd: project, home: other, variables: {...own, ...variables}});
  const lock = (): Promise<PluginsLock | undefined> =>
    readFile(join(data, 'plugins.lock.json'), 'utf8').then(
      (text) => JSON.parse(text) as PluginsLock,
      () => undefined,
    );
  return {
    folder: folder.path,
    home,
    project,
    registry,
    data,
    store: join(data, 'store'),
    variables: own,
    geminiWith,
    lock,
    gemini: (...args) => geminiWith({}, ...args),
    installed: async () =>
      Object.fromEntries(Object.entries((await lock())?.plugins ?? {}).map(([name, {version}]) => [name, version])),
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(project, name)), {recursive: true});
        await writeFile(join(project, name), content);
      }
    },
    stored: async () =>
      (await readdir(join(data, 'store')).catch(() => [])).filter((name) => !name.startsWith('.')).sort(),
    async [Symbol.asyncDispose]() {
      await registry.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/**
 * Installs as `gemini plugins install … --yes` does, without a process around it; nothing of the product is known to
 * it.
 */
export async function installHere(scene: InstallScene, spec: string): Promise<InstalledPlugin> {
  return installPlugin(await installerUnder(scene, undefined), {
    wanted: parseSpec(spec, scene.project),
    consent: yes,
    force: false,
  });
}

/** What `gemini plugins verify` says, without a process around it: each plugin, and what is wrong with it. */
export async function verifyHere(scene: InstallScene): Promise<Readonly<Record<string, readonly string[]>>> {
  return Object.fromEntries(
    (await verifyPlugins(await installerUnder(scene, undefined))).map(({name, version, faults}) => [
      `${name} ${version}`,
      faults,
    ]),
  );
}

/**
 * Gives a person what another one has installed, as if from their own registry, which must have the same.
 */
export async function copyInstalled(from: InstallScene, to: InstallScene): Promise<void> {
  await cp(from.data, to.data, {recursive: true});
  const history = join(to.data, 'plugins.lock.history');
  const kept = (await readdir(history)).map((name) => join(history, name));
  for (const file of [
    join(to.data, 'plugins.lock.json'),
    join(to.data, 'ext', 'package.json'),
    join(to.store, '.locks.json'),
    ...kept,
  ]) {
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replaceAll(from.registry.url, to.registry.url).replaceAll(from.folder, to.folder),
    );
  }
}

/** An installer for a person under an administrator's rules. */
export async function installerUnder(
  scene: InstallScene,
  rules: Partial<ManagedRules> | 'unreadable' | undefined,
): Promise<Installer> {
  const at = (name: string): string => join(scene.folder, 'system', name);
  const system = {
    lock: at('plugins.lock.json'),
    store: at('store'),
    bundles: at('bundles'),
    rules: at('plugins.d'),
    owner: undefined,
  };
  const environment: Surroundings = {
    cwd: scene.project,
    home: scene.home,
    temporary: scene.folder,
    cacheDir: join(scene.home, '.cache', 'gemini'),
    flags: {},
    platform: process.platform,
    interactive: false,
    newId: () => crypto.randomUUID(),
    variables: {PATH: process.env['PATH'], HOME: scene.home, ...scene.variables},
    installs: {
      user: {lock: join(scene.data, 'plugins.lock.json'), store: scene.store, bundles: join(scene.data, 'bundles')},
      system,
      project: {lock: join(scene.project, '.gemini', 'plugins.lock.json')},
      reserved: ['@gemini-kernel/', '@oclif/'],
      program: checkout,
    },
  };
  if (rules !== undefined) {
    await mkdir(system.rules, {recursive: true});
    await writeFile(join(system.rules, 'rules.json'), rules === 'unreadable' ? '{' : JSON.stringify(rules));
  }
  return openInstaller({
    environment,
    catalog: createCatalog([]),
    signal: new AbortController().signal,
    scope: 'user',
    tell: () => undefined,
  });
}

/** Says yes, as `--yes` does. */
export const yes = {yes: true, force: false, show: () => undefined};
