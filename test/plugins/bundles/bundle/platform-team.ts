import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {packPackage, serveRegistry, type PackageParts, type Registry} from '../../../helpers/registry.js';
import {runGemini, type RunResult} from '../../../helpers/run-gemini.js';
import {
  applyHere,
  exportHere,
  lockHere,
  readLockedPlugin,
  statusHere,
  writeLockedPlugin,
  type BundlePlace,
} from './bundle-steps.js';
import type {BundleStatus} from '#plugins/bundles/dist/bundle/bundle-status.js';

/** A platform team with a bundle, a key and a registry, and a user who has only what the team publishes. */
export interface PlatformTeam {
  /** Where the team works. */
  readonly folder: string;
  readonly registry: Registry;
  /** `corp=<public key>`. */
  readonly publicKey: string;
  /** Another machine: nothing of the team's is there, and no registry can be reached. */
  readonly home: string;
  run(...args: readonly string[]): Promise<RunResult>;
  /** Runs the program where nothing of the team's is known. */
  elsewhere(...args: readonly string[]): Promise<RunResult>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  /**
   * Writes the bundle with these parts, locks, signs and exports it, by the parts that the commands call; gives the
   * archive.
   */
  release(parts: Readonly<Record<string, unknown>>): Promise<string>;
  /** The same by the three commands. */
  releaseByCommands(parts: Readonly<Record<string, unknown>>): Promise<string>;
  /** Signs the lock as it lies there, and exports it under this name. */
  signAndExport(name: string): Promise<string>;
  /** Writes a bundle and locks it, without a process around it; `@corp/words` stays as it was locked before. */
  lock(bundle: object): Promise<void>;
  /** Applies an archive elsewhere, without a process around it; the team's key counts, unless others are given. */
  apply(archive: string, ...keys: readonly string[]): Promise<void>;
  /** What status would say elsewhere. */
  status(): Promise<BundleStatus>;
  [Symbol.asyncDispose](): Promise<void>;
}

const NO_REGISTRY = {npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0'};

/** Runs a step that has to go well. */
export async function mustRun(result: Promise<RunResult>): Promise<RunResult> {
  const done = await result;
  if (done.code !== 0) throw new Error(`It ended with ${done.code}: ${done.stdout}${done.stderr}`);
  return done;
}

/** The archive of a plugin with one tool, `words` unless said otherwise. */
export function packPlugin(parts: Partial<PackageParts> = {}): Buffer {
  return packPackage({name: '@corp/words', version: '1.0.0', manifest: {capabilities: ['fs:read']}, ...parts});
}

const words = {name: '@corp/words', version: '1.0.0'};

/**
 * What a lock has of `@corp/words`, once npm was asked for what it needs; the same for every team but for the
 * registry's address.
 */
let known: string | undefined;
const REGISTRY = 'http://registry.invalid/';

/** Makes a team whose registry has `@corp/words` 1.0.0, which needs `counter`. */
export async function makeTeam(): Promise<PlatformTeam> {
  const root = await makeFolder();
  const registry = await serveRegistry();
  const [folder, ownHome, home] = ['team', 'own', 'elsewhere'].map((name) => join(root.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, ownHome, home]) await mkdir(path);
  registry.publish({
    name: 'counter',
    version: '2.0.0',
    manifest: null,
    files: {'index.js': 'export const count = 3;\n'},
  });
  registry.publish({...words, pack: {dependencies: {counter: '^2.0.0'}}, manifest: {capabilities: ['fs:read']}});
  const place: BundlePlace = {
    cwd: folder,
    home: ownHome,
    variables: {npm_config_registry: registry.url, npm_config_cache: join(root.path, 'npm')},
  };
  const away: BundlePlace = {cwd: home, home, variables: NO_REGISTRY};
  const run: PlatformTeam['run'] = (...args) => runGemini(args, place);
  const publicKey = await makeKey(folder);
  const [file, lockFile] = [join(folder, 'corp.bundle.json'), join(folder, 'corp.bundle.lock.json')];
  const write: PlatformTeam['write'] = async (path, content) => {
    await mkdir(dirname(join(folder, path)), {recursive: true});
    await writeFile(join(folder, path), content);
  };
  const compose = (parts: Readonly<Record<string, unknown>>): {readonly bundle: object; readonly archive: string} => {
    const bundle = {name: 'corp', description: 'For a test.', serial: 1, plugins: [words], ...parts};
    return {bundle, archive: join(folder, `corp-${bundle.serial}.gemini-bundle`)};
  };
  const lock: PlatformTeam['lock'] = async (bundle) => {
    await write('corp.bundle.json', JSON.stringify(bundle));
    if (known !== undefined)
      await writeLockedPlugin(lockFile, words.name, JSON.parse(known.replaceAll(REGISTRY, registry.url)) as object);
    await lockHere(place, file);
    const locked = (await readLockedPlugin(lockFile, words.name)) as
      {readonly source: {readonly type: string}; readonly version: string} | undefined;
    if (locked?.source.type === 'registry' && locked.version === words.version)
      known ??= JSON.stringify(locked).replaceAll(registry.url, REGISTRY);
  };
  return {
    folder,
    registry,
    home,
    run,
    write,
    publicKey,
    lock,
    elsewhere: (...args) => runGemini(args, away),
    async release(parts) {
      const {archive, bundle} = compose(parts);
      await lock(bundle);
      await exportHere(place, {lock: lockFile, key: 'corp', archive});
      return archive;
    },
    async releaseByCommands(parts) {
      const {archive, bundle} = compose(parts);
      await write('corp.bundle.json', JSON.stringify(bundle));
      await mustRun(run('bundle', 'lock', file));
      await mustRun(run('bundle', 'sign', lockFile, '--key', 'corp.key.pem', '--name', 'corp'));
      await mustRun(run('bundle', 'export', lockFile, '--out', archive));
      return archive;
    },
    async signAndExport(name) {
      const archive = join(folder, `${name}.gemini-bundle`);
      await exportHere(place, {lock: lockFile, key: 'corp', archive});
      return archive;
    },
    apply: (archive, ...keys) => applyHere(away, archive, keys.length > 0 ? keys : [publicKey]),
    status: () => statusHere(away),
    async [Symbol.asyncDispose]() {
      await registry.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Makes the team's key, as `gemini bundle key corp` does, and gives it as `corp=<public key>`. */
async function makeKey(folder: string): Promise<string> {
  const {writeKey} = await import('#plugins/bundles/dist/bundle/write-key.js');
  await writeKey(folder, 'corp');
  return (await readFile(join(folder, 'corp.pub'), 'utf8')).trim();
}
