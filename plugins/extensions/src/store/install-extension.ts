import {mkdtemp, readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {isHeld, takeLock} from '@gemini-kernel/files/writing';
import {KernelError, messageOf, type Environment, type Form, type FormAnswer} from '@gemini-kernel/kernel';
import {hashTree} from '@gemini-kernel/admission';
import type {Brought, ExtensionSource} from '../contract.js';
import {describeBrought} from '../manifest/describe-brought.js';
import {readManifest, type Manifest} from '../manifest/read-manifest.js';
import {compareConsent, describeConsent, describeSource} from './describe-consent.js';
import {oneVersion, type ExtensionLock, type LockedExtension, type LockedVersion} from './extension-lock.js';
import {keepVersions} from './keep-versions.js';
import {obtainSource} from './obtain-source.js';

/** How the person can agree. */
export interface Means {
  /** `--consent`. */
  readonly isAgreed: boolean;
  ask(form: Form): Promise<FormAnswer>;
  show(lines: readonly string[]): void;
}

export interface Installation {
  readonly lock: ExtensionLock;
  readonly source: ExtensionSource;
  readonly environment: Pick<Environment, 'platform' | 'variables'>;
  readonly signal: AbortSignal;
  readonly means: Means;
  /** The name it must have: an update replaces nothing else. */
  readonly name?: string;
  /** Whether later updates are installed unasked; unless given, as before. */
  readonly autoUpdate?: boolean;
  /** Throws when rules refuse the source. */
  judge(name: string, source: ExtensionSource): Promise<void>;
}

export interface Installed {
  readonly name: string;
  readonly version: string;
  readonly before?: string;
  readonly source: ExtensionSource;
  readonly tree: string;
  readonly brings: Brought;
  /** It was there already, with the same files. */
  readonly isSame: boolean;
}

const WORK = '.new-';
/** How long another installation is waited for. */
const PATIENCE_MS = 60_000;

/**
 * Fetches, checks, asks, and then makes it count by replacing the lock. Whatever fails or is killed before that leaves
 * what was installed as it was. Throws KernelError EXTENSION_INVALID, EXTENSION_REFUSED, EXTENSION_UNREACHABLE or
 * EXTENSION_UNWRITABLE.
 */
export async function installExtension(installation: Installation): Promise<Installed> {
  const {lock} = installation;
  return withLock(installation, async () => {
    const store = join(lock.folder, 'extensions');
    // What killed installations left: only one works here at a time.
    for (const left of await readdir(store))
      if (left.startsWith(WORK)) await rm(join(store, left), {recursive: true, force: true});
    const work = await mkdtemp(join(store, WORK));
    try {
      return await installFrom(installation, work);
    } finally {
      await rm(work, {recursive: true, force: true});
    }
  });
}

async function installFrom(installation: Installation, work: string): Promise<Installed> {
  const {lock, means} = installation;
  const source = await obtainSource(installation, work);
  const folder = join(work, 'tree');
  const reading = await readManifest(folder);
  if ('fault' in reading) throw invalid(source, reading.fault);
  const {manifest} = reading;
  if (installation.name !== undefined && installation.name !== manifest.name)
    throw invalid(source, `it is called ${manifest.name} now, not ${installation.name}`);
  await installation.judge(manifest.name, source);
  const locked = await lock.read();
  const before = locked[manifest.name];
  const tree = hashTree(folder);
  const brings = await describeBrought(folder, manifest);
  const isSame = before?.tree === tree;
  if (!isSame) await agree({manifest, source, brings, before: await oldLines(lock, manifest.name, before)}, means);
  const entry = nextEntry({version: manifest.version, tree, source, installed: now()}, before, installation.autoUpdate);
  await place(lock, manifest.name, entry, folder);
  await lock.write({...locked, [manifest.name]: entry});
  await keepVersions(lock, manifest.name, entry);
  const {name, version} = manifest;
  return {name, version, source, tree, brings, isSame, ...(before ? {before: before.version} : {})};
}

function now(): string {
  return new Date().toISOString();
}

/** A version and the one before it, which the same files do not replace. */
function nextEntry(
  version: LockedVersion,
  last: LockedExtension | undefined,
  autoUpdate = last?.autoUpdate === true,
): LockedExtension {
  const before = last && last.tree !== version.tree ? oneVersion(last) : last?.before;
  return {...version, ...(before ? {before} : {}), ...(autoUpdate ? {autoUpdate} : {})};
}

interface Subject {
  readonly manifest: Manifest;
  readonly source: ExtensionSource;
  readonly brings: Brought;
  /** What was agreed to before. */
  readonly before: readonly string[] | undefined;
}

async function oldLines(
  lock: ExtensionLock,
  name: string,
  before: LockedExtension | undefined,
): Promise<readonly string[] | undefined> {
  if (!before) return undefined;
  const folder = lock.folderOf(name, before);
  const reading = await readManifest(folder);
  return 'manifest' in reading ? describeConsent(await describeBrought(folder, reading.manifest)) : undefined;
}

/** Asks for what is new. An update that brings the same asks nothing. */
async function agree({manifest, source, brings, before}: Subject, means: Means): Promise<void> {
  const lines = describeConsent(brings);
  const changes = before && compareConsent(before, lines);
  if (changes?.length === 0) return;
  const title = describeSource(manifest, source);
  const shown = changes ?? (lines.length === 0 ? ['Brings nothing.'] : lines);
  if (means.isAgreed) return means.show([title, ...shown.map((line) => `  ${line}`)]);
  const answer = await means.ask(consentForm(manifest, {title, shown, isUpdate: before !== undefined}));
  if (answer.outcome === 'answered' && answer.values['agreed'] === true) return;
  if (answer.outcome !== 'nobody') throw new KernelError('EXTENSION_REFUSED', `${manifest.name} was not installed.`);
  means.show([title, ...shown.map((line) => `  ${line}`)]);
  throw new KernelError(
    'EXTENSION_REFUSED',
    `${manifest.name} was not installed, because there is no terminal to ask for your consent.`,
    {hint: 'Read what it brings, then install it with --consent.'},
  );
}

function consentForm(
  {name, version}: Manifest,
  {title, shown, isUpdate}: {readonly title: string; readonly shown: readonly string[]; readonly isUpdate: boolean},
): Form {
  return {
    title,
    text: shown.join('\n'),
    about: {kind: 'extension', name, version},
    fields: [
      {
        name: 'agreed',
        label: isUpdate ? `Replace ${name} with ${version}?` : `Install ${name}?`,
        kind: 'yes-no',
        default: false,
      },
    ],
  };
}

async function place(lock: ExtensionLock, name: string, entry: LockedExtension, folder: string): Promise<void> {
  const target = lock.folderOf(name, entry);
  await makePrivateFolder(join(target, '..'));
  if (isThere(target, entry.tree)) return;
  // What lies there was changed since.
  await rm(target, {recursive: true, force: true});
  await rename(folder, target);
}

function isThere(folder: string, tree: string): boolean {
  try {
    return hashTree(folder) === tree;
  } catch {
    return false;
  }
}

/** Runs something while no other process changes the lock or the store. */
export async function withLock<T>(
  {lock, signal}: Pick<Installation, 'lock' | 'signal'>,
  act: () => Promise<T>,
): Promise<T> {
  const store = join(lock.folder, 'extensions');
  try {
    await makePrivateFolder(store);
  } catch (error) {
    throw new KernelError('EXTENSION_UNWRITABLE', `Cannot write to ${store}: ${messageOf(error)}.`);
  }
  const taken = await takeLock(join(store, '.lock'), {signal, patienceMs: PATIENCE_MS});
  if (!isHeld(taken))
    throw new KernelError('EXTENSION_UNWRITABLE', 'Another process is installing an extension.', {
      hint: 'Wait until it has ended, and try again.',
    });
  try {
    return await act();
  } finally {
    await taken.release();
  }
}

function invalid(source: ExtensionSource, clause: string): KernelError {
  return new KernelError('EXTENSION_INVALID', `${source.location} cannot be installed: ${clause}.`, {
    hint: '`gemini extensions check <folder>` says what is wrong.',
  });
}
