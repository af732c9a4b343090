import {readdir} from 'node:fs/promises';
import {basename, isAbsolute, join} from 'node:path';
import {findForeignWriter, readText} from '@gemini-kernel/files';
import {verifyTree} from '@gemini-kernel/admission/start';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import type {ExtensionSource, UnusedReason} from '../contract.js';
import {isTable} from '../manifest/is-table.js';
import {readManifest} from '../manifest/read-manifest.js';
import type {ExtensionLock} from '../store/extension-lock.js';
import {findBundled} from './bundled-extensions.js';
import type {FoundExtension} from './found-extension.js';

const RECORD = '.gemini-extension-install.json';
/** Entries of the folder that are looked at. */
const MOST = 500;

export interface Places {
  readonly home: string;
  /** Keeps what was seen when a tree was last hashed. */
  readonly cacheDir: string;
  /** Absent where the host installs nothing. */
  readonly lock?: ExtensionLock;
  readonly bundles: readonly ActiveBundle[];
}

/** The folder of extensions that Gemini CLI installed or links to. */
export function sharedFolder(home: string): string {
  return join(home, '.gemini', 'extensions');
}

/** Every extension there is, by name: those of bundles, of the lock, and those that Gemini CLI installed. */
export async function findExtensions({home, cacheDir, lock, bundles}: Places): Promise<readonly FoundExtension[]> {
  const locked = await findLocked(cacheDir, lock);
  const bundled = await Promise.all(
    (await findBundled(bundles, cacheDir)).map(async ({fault, ...one}): Promise<FoundExtension> =>
      fault === undefined ? examine(one) : {...one, ...unused(fault.reason, one.name, fault.clause)},
    ),
  );
  const shared = await findShared(sharedFolder(home));
  const installed = new Set(locked.map(({name}) => name));
  const names = new Set<string>();
  const found: FoundExtension[] = [];
  for (const one of [...bundled, ...locked, ...shared.filter(({name}) => !installed.has(name))]) {
    found.push(names.has(one.name) ? {...one, ...unused('broken', one.name, 'another one has this name')} : one);
    names.add(one.name);
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function findLocked(cacheDir: string, lock: ExtensionLock | undefined): Promise<readonly FoundExtension[]> {
  if (!lock) return [];
  return Promise.all(
    Object.entries(await lock.read()).map(async ([name, entry]): Promise<FoundExtension> => {
      const folder = lock.folderOf(name, entry);
      const found = {name, folder, source: entry.source, state: 'locked'} as const;
      const record = join(cacheDir, 'extensions', `${name}.tree`);
      const fault = await verifyTree({root: folder, tree: entry.tree, record});
      return fault === undefined ? examine(found) : {...found, ...unused('changed', name, fault)};
    }),
  );
}

async function findShared(folder: string): Promise<readonly FoundExtension[]> {
  const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).slice(0, MOST);
  return Promise.all(
    folders.map(async ({name}): Promise<FoundExtension> => {
      const place = join(folder, name);
      const source = await readRecord(place);
      const isLink = source.type === 'link';
      return examine({name, folder: isLink ? source.location : place, source, state: isLink ? 'linked' : 'unlocked'});
    }),
  );
}

async function readRecord(place: string): Promise<ExtensionSource> {
  try {
    const value = JSON.parse(await readText(join(place, RECORD))) as unknown;
    const {source, type, ref} = isTable(value) ? value : {};
    if (typeof source !== 'string') return {type: 'unknown', location: place};
    const link = type === 'link' && isAbsolute(source);
    return {
      type: link ? 'link' : type === 'git' || type === 'github-release' ? 'git' : 'folder',
      location: source,
      ...(typeof ref === 'string' ? {ref} : {}),
    };
  } catch {
    return {type: 'unknown', location: place};
  }
}

/** Reads the manifest of a folder that no one else can write. */
async function examine(found: FoundExtension): Promise<FoundExtension> {
  const writer = findForeignWriter(found.folder);
  if (writer)
    return {...found, ...unused('unsafe', found.name, `${writer.path} is not safe: ${writer.reason}`, writer.repair)};
  const reading = readManifest(found.folder);
  if ('fault' in reading) return {...found, ...unused('broken', found.name, reading.fault)};
  const {manifest} = reading;
  const isExpected = manifest.name === found.name || !['bundled', 'locked'].includes(found.state);
  return isExpected
    ? {...found, name: manifest.name, manifest}
    : {...found, ...unused('broken', found.name, `its manifest calls it ${manifest.name}`)};
}

function unused(
  reason: UnusedReason,
  name: string,
  clause: string,
  repair?: string,
): Required<Pick<FoundExtension, 'unused'>> {
  const hint = repair === undefined ? '' : ` Run \`${repair}\`.`;
  return {unused: {reason, sentence: `The extension "${basename(name)}" is not used: ${clause}.${hint}`}};
}
