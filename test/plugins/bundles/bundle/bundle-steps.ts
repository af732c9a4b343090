import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import type {Environment} from '@gemini-kernel/kernel';
import {createCatalog} from '@gemini-kernel/kernel/host';
import {builtModule} from '../../../helpers/built-module.js';
import {dataFolder} from '../../../helpers/install-plugins.js';
import {checkout} from '../../../helpers/plugin-root.js';

type Surroundings = Environment & {readonly installs: InstallPlaces};

/** Where a person works, and how their npm is configured. */
export interface BundlePlace {
  readonly cwd: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What `gemini bundle status` knows. */
export interface BundleStatus {
  readonly bundles: readonly {
    readonly name: string;
    readonly serial: number;
    readonly differences: readonly string[];
  }[];
  readonly faults: readonly string[];
  readonly remembered: unknown;
}

interface Opened {
  readonly kind: string;
  readonly lock: {readonly plugins: {readonly installed: Readonly<Record<string, object>>}};
}

/**
 * What the steps are made of: the same parts that the commands call, which a test calls without a process around them.
 */
interface Parts {
  openInstaller(parts: object): Promise<object>;
  readBundle(file: string): Promise<object>;
  writeLock(written: object, means: object): Promise<{readonly file: string}>;
  signLock(request: object): Promise<unknown>;
  openBundle(place: string): Promise<Opened>;
  packBundle(bundle: Opened, supply: object): Promise<Buffer>;
  archiveSupply(environment: Surroundings, folder: string, signal: AbortSignal): object;
  openScope(environment: Surroundings, name: string): Promise<{readonly managed: unknown; readonly memory: unknown}>;
  settleKeys(bundle: Opened, parts: object): Promise<unknown>;
  parseKeys(texts: readonly string[]): unknown;
  applyBundle(request: object): Promise<unknown>;
  takeArchive(archive: object, bundle: Opened, supply?: object): Promise<Buffer>;
  readStatus(environment: Surroundings, now: Date): Promise<BundleStatus>;
}

/** What others import when it is needed comes first: jest must have linked it by then. */
const MODULES: readonly string[] = [
  'install/fetch/obtain-archive',
  'install/stage-plugin',
  'install/judge/judge-rules',
  'install/source/read-npm-options',
  'install/source/open-installer',
  'bundle/read-bundle',
  'bundle/write-lock',
  'bundle/sign-lock',
  'bundle/open-bundle',
  'bundle/export-bundle',
  'bundle/archive-supply',
  'bundle/bundle-scope',
  'bundle/settle-keys',
  'bundle/signing-key',
  'bundle/apply-bundle',
  'bundle/locked-archives',
  'bundle/bundle-status',
];

/** Signs a lock with a key that lies beside it and exports it, as the two commands do. */
export async function exportHere(
  place: BundlePlace,
  {lock, key, archive}: {readonly lock: string; readonly key: string; readonly archive: string},
): Promise<void> {
  const {signLock, openBundle, packBundle, archiveSupply} = await loadParts();
  await signLock({place: lock, keyFile: join(place.cwd, `${key}.key.pem`), keyName: key});
  await writeFile(
    archive,
    await packBundle(await openBundle(lock), archiveSupply(environmentOf(place), dirname(lock), never)),
  );
}

/** Locks a bundle as `gemini bundle lock` does. */
export async function lockHere(place: BundlePlace, bundle: string): Promise<{readonly file: string}> {
  const {readBundle, writeLock} = await loadParts();
  const environment = environmentOf(place);
  const installer = {...(await openHere(environment)), store: join(place.home, `lock-${environment.newId()}`)};
  return writeLock(await readBundle(bundle), {installer, environment, update: false});
}

/** Applies an exported bundle as `gemini bundle apply --from … --yes --key …` does. */
export async function applyHere(place: BundlePlace, archive: string, keys: readonly string[]): Promise<void> {
  const {openBundle, openScope, settleKeys, parseKeys, applyBundle, takeArchive} = await loadParts();
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
    take: (wanted: object) => takeArchive(wanted, bundle),
  });
}

/** What `gemini bundle status` would say. */
export async function statusHere(place: BundlePlace): Promise<BundleStatus> {
  return (await loadParts()).readStatus(environmentOf(place), new Date());
}

const never = new AbortController().signal;

async function openHere(environment: Surroundings): Promise<object> {
  return (await loadParts()).openInstaller({
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

async function loadParts(): Promise<Parts> {
  const parts: object[] = [];
  // One after the other: jest links modules that two imports share only once it has the first.
  for (const name of MODULES) parts.push(await builtModule<object>('bundles', `${name}.js`));
  return Object.assign({}, ...parts) as Parts;
}

/** What a bundle's lock says of a plugin, if there is a lock and it says something. */
export async function readLockedPlugin(file: string, name: string): Promise<object | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Opened['lock']).plugins.installed[name];
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
