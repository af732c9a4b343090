import {cp, mkdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {hashTree, storeName, type LockedPlugin} from '@gemini-kernel/admission';
import {checkout} from './plugin-root.js';

/** Folder in which installed plugins of a person are kept. */
export function dataFolder(home: string): string {
  return join(home, '.local', 'share', 'gemini');
}

export interface Installed {
  /** Folders in test/fixtures/plugins. */
  readonly present?: readonly string[];
  /** Names that are listed as installed, with no folder behind them. */
  readonly gone?: readonly string[];
  /** Changes a plugin before it is locked. */
  change?(root: string): Promise<unknown>;
}

/** Puts plugins into a home as an installation leaves them, and gives the folder of each. */
export async function installPlugins(
  home: string,
  {present = [], gone = [], change}: Installed,
): Promise<Readonly<Record<string, string>>> {
  const data = dataFolder(home);
  const copies = await Promise.all(present.map((folder) => copyPlugin(folder, data, change)));
  const lost: [string, LockedPlugin][] = gone.map((name) => [
    name,
    {version: '1.0.0', source, tree: `sha256-${'0'.repeat(64)}`, capabilities: []},
  ]);
  await writeLock(data, {
    ...Object.fromEntries(copies.map(({name, locked}) => [name, locked])),
    ...Object.fromEntries(lost),
  });
  return Object.fromEntries(copies.map(({name, root}) => [name, root]));
}

/** Writes a lock that holds these plugins. */
export async function writeLock(data: string, plugins: Readonly<Record<string, LockedPlugin>>): Promise<void> {
  await mkdir(data, {recursive: true});
  await writeFile(join(data, 'plugins.lock.json'), JSON.stringify({lockVersion: 1, serial: 1, plugins}));
}

const source: LockedPlugin['source'] = {type: 'registry', registry: 'https://registry.example/', wanted: 'latest'};

async function copyPlugin(
  folder: string,
  data: string,
  change: Installed['change'],
): Promise<{readonly name: string; readonly locked: LockedPlugin; readonly root: string}> {
  const name = folder === 'impostor' ? '@gemini-kernel/plugin-tools' : folder;
  const staged = join(data, 'store', `new-${folder}`);
  const root = join(staged, 'node_modules', name);
  await cp(join(checkout, 'test', 'fixtures', 'plugins', folder), root, {recursive: true});
  await change?.(root);
  const {capabilities = []} = await readManifest(root);
  const locked: LockedPlugin = {version: '1.0.0', source, tree: hashTree(staged), capabilities};
  const place = join(data, 'store', storeName(name, locked));
  await rm(place, {recursive: true, force: true});
  await rename(staged, place);
  return {name, locked, root: join(place, 'node_modules', name)};
}

/** Some fixtures have a manifest that cannot be read. */
async function readManifest(root: string): Promise<{readonly capabilities?: readonly string[]}> {
  try {
    return JSON.parse(await readFile(join(root, 'gemini.plugin.json'), 'utf8')) as {capabilities?: readonly string[]};
  } catch {
    return {};
  }
}
