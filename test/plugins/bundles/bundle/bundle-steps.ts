import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createCatalog} from '@gemini-kernel/kernel/host';
import {dataFolder} from '../../../helpers/install-plugins.js';
import {checkout} from '../../../helpers/plugin-root.js';
import {applyBundle} from '#plugins/bundles/dist/bundle/apply-bundle.js';
import {archiveSupply} from '#plugins/bundles/dist/bundle/archive-supply.js';
import type {BundleLock} from '#plugins/bundles/dist/bundle/bundle-lock.js';
import {openScope} from '#plugins/bundles/dist/bundle/bundle-scope.js';
import {readStatus, type BundleStatus} from '#plugins/bundles/dist/bundle/bundle-status.js';
import {packBundle} from '#plugins/bundles/dist/bundle/export-bundle.js';
import {takeArchive} from '#plugins/bundles/dist/bundle/locked-archives.js';
import {openBundle} from '#plugins/bundles/dist/bundle/open-bundle.js';
import {readBundle} from '#plugins/bundles/dist/bundle/read-bundle.js';
import {settleKeys} from '#plugins/bundles/dist/bundle/settle-keys.js';
import {signLock} from '#plugins/bundles/dist/bundle/sign-lock.js';
import {parseKeys} from '#plugins/bundles/dist/bundle/signing-key.js';
import {writeLock} from '#plugins/bundles/dist/bundle/write-lock.js';
import type {Installer} from '#plugins/bundles/dist/install/source/installer.js';
import {openInstaller} from '#plugins/bundles/dist/install/source/open-installer.js';
import type {Surroundings} from '#plugins/bundles/dist/surroundings.js';
// The product imports these when it needs them; jest must have linked them by then.
import '#plugins/bundles/dist/install/fetch/obtain-archive.js';
import '#plugins/bundles/dist/install/judge/judge-rules.js';
import '#plugins/bundles/dist/install/source/read-npm-options.js';
import '#plugins/bundles/dist/install/stage-plugin.js';

/** Where a person works, and how their npm is configured. */
export interface BundlePlace {
  readonly cwd: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Signs a lock with a key that lies beside it and exports it, as the two commands do. */
export async function exportHere(
  place: BundlePlace,
  {lock, key, archive}: {readonly lock: string; readonly key: string; readonly archive: string},
): Promise<void> {
  await signLock({place: lock, keyFile: join(place.cwd, `${key}.key.pem`), keyName: key});
  await writeFile(
    archive,
    await packBundle(await openBundle(lock), archiveSupply(environmentOf(place), dirname(lock), never)),
  );
}

/** Locks a bundle as `gemini bundle lock` does. */
export async function lockHere(place: BundlePlace, bundle: string): Promise<{readonly file: string}> {
  const environment = environmentOf(place);
  const installer = {...(await openHere(environment)), store: join(place.home, `lock-${environment.newId()}`)};
  return writeLock(await readBundle(bundle), {installer, environment, update: false});
}

/** Applies an exported bundle as `gemini bundle apply --from … --yes --key …` does. */
export async function applyHere(place: BundlePlace, archive: string, keys: readonly string[]): Promise<void> {
  const environment = environmentOf(place);
  const bundle = await openBundle(archive);
  const scope = await openScope(environment, 'user');
  const settled = await settleKeys(bundle, {
    managed: scope.managed,
    memory: scope.memory,
    given: parseKeys(keys),
    ask: async () => false,
  });
  await applyBundle({
    bundle,
    scope,
    installer: await openHere(environment),
    keys: settled,
    agree: async () => true,
    take: (wanted) => takeArchive(wanted, bundle),
  });
}

/** What `gemini bundle status` would say. */
export async function statusHere(place: BundlePlace): Promise<BundleStatus> {
  return readStatus(environmentOf(place), new Date());
}

const never = new AbortController().signal;

async function openHere(environment: Surroundings): Promise<Installer> {
  return openInstaller({
    environment,
    catalog: createCatalog([]),
    signal: never,
    scope: 'user',
    tell: () => undefined,
  });
}

function environmentOf({cwd, home, variables}: BundlePlace): Surroundings {
  const data = dataFolder(home);
  const at = (name: string): string => join(home, 'no-system', name);
  return {
    cwd,
    home,
    temporary: home,
    cacheDir: join(home, '.cache', 'gemini'),
    platform: process.platform,
    interactive: false,
    flags: {},
    variables: {PATH: process.env['PATH'], HOME: home, ...variables},
    installs: {
      user: {lock: join(data, 'plugins.lock.json'), store: join(data, 'store'), bundles: join(data, 'bundles')},
      system: {
        lock: at('plugins.lock.json'),
        store: at('store'),
        bundles: at('bundles'),
        rules: at('plugins.d'),
        owner: undefined,
      },
      project: {lock: join(cwd, '.gemini', 'plugins.lock.json')},
      reserved: ['@gemini-kernel/', '@oclif/'],
      program: checkout,
    },
    newId: () => crypto.randomUUID(),
  };
}

/** What a bundle's lock says of a plugin, if there is a lock and it says something. */
export async function readLockedPlugin(file: string, name: string): Promise<object | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as BundleLock).plugins.installed[name];
}

/** Writes a lock that has only this plugin, which stays locked as it is. */
export async function writeLockedPlugin(file: string, name: string, plugin: object): Promise<void> {
  await mkdir(dirname(file), {recursive: true});
  await writeFile(
    file,
    JSON.stringify({
      bundleVersion: 1,
      name: 'corp',
      description: 'Before.',
      serial: 1,
      plugins: {product: [], installed: {[name]: plugin}},
      policies: [],
    }),
  );
}
