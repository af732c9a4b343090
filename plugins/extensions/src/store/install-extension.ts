import {join} from 'node:path';
import {KernelError, type Form, type FormAnswer} from '@gemini-kernel/kernel';
import {hashTree} from '@gemini-kernel/admission';
import type {Brought, ExtensionSource} from '../contract.js';
import {describeBrought} from '../manifest/describe-brought.js';
import {readManifest, type Manifest} from '../manifest/read-manifest.js';
import {compareConsent, describeConsent, describeSource} from './describe-consent.js';
import type {ExtensionLock, LockedExtension} from './extension-lock.js';
import {isIntact, place, sweep, withWork} from './extension-store.js';
import {obtainSource, type Obtaining} from './obtain-source.js';

/** How the person can agree. */
export interface Means {
  /** `--consent`. */
  readonly isAgreed: boolean;
  ask(form: Form): Promise<FormAnswer>;
  show(lines: readonly string[]): void;
  /** Where no person can be asked: the answer that a script gives; undefined without one. */
  read?(question: string): Promise<boolean | undefined>;
}

export interface Installation extends Obtaining {
  readonly lock: ExtensionLock;
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

/**
 * Fetches, checks, asks, and then makes it count by replacing the lock. Whatever fails or is killed before that leaves
 * what was installed as it was. Throws KernelError EXTENSION_INVALID, EXTENSION_REFUSED, EXTENSION_UNREACHABLE or
 * EXTENSION_UNWRITABLE.
 */
export function installExtension(installation: Installation): Promise<Installed> {
  return withWork(installation, (work) => installFrom(installation, work));
}

async function installFrom(installation: Installation, work: string): Promise<Installed> {
  const {lock, means} = installation;
  // Nothing is fetched from where rules do not allow it.
  await installation.judge(installation.name ?? installation.source.location, installation.source);
  const source = await obtainSource(installation, work);
  const folder = join(work, 'tree');
  const reading = readManifest(folder);
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
  const entry = {
    ...{version: manifest.version, tree, source, installed: new Date().toISOString()},
    ...previousOf(before, isSame),
    ...((installation.autoUpdate ?? before?.autoUpdate) ? {autoUpdate: true as const} : {}),
  };
  await place(lock, manifest.name, entry, folder);
  await lock.write({...locked, [manifest.name]: entry});
  await sweep(lock, manifest.name, entry);
  const {name, version} = manifest;
  return {name, version, source, tree, brings, isSame, ...(before ? {before: before.version} : {})};
}

/** What `rollback` returns to. */
function previousOf(before: LockedExtension | undefined, isSame: boolean): Pick<LockedExtension, 'previous'> {
  if (!before) return {};
  const {previous, autoUpdate: _, ...current} = before;
  if (!isSame) return {previous: current};
  return previous ? {previous} : {};
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
  // Files that were changed since are not what was agreed to.
  if (!isIntact(folder, before.tree)) return undefined;
  const reading = readManifest(folder);
  return 'manifest' in reading
    ? describeConsent(await describeBrought(folder, reading.manifest), before.source)
    : undefined;
}

/** Asks for what is new. An update that brings the same asks nothing. */
async function agree({manifest, source, brings, before}: Subject, means: Means): Promise<void> {
  const lines = describeConsent(brings, source);
  const changes = before && compareConsent(before, lines);
  if (changes?.length === 0) return;
  const title = describeSource(manifest, source);
  const shown = changes ?? (lines.length === 0 ? ['Brings nothing.'] : lines);
  const list = [title, ...shown.map((line) => `  ${line}`)];
  if (means.isAgreed) return means.show(list);
  const form = consentForm(manifest, {title, shown, isUpdate: before !== undefined});
  const isAgreed = await askOrRead(form, list, means);
  if (isAgreed === true) return;
  if (isAgreed === false) throw new KernelError('EXTENSION_REFUSED', `${manifest.name} was not installed.`);
  throw new KernelError(
    'EXTENSION_REFUSED',
    `${manifest.name} was not installed, because there is no terminal to ask for your consent.`,
    {hint: 'Read what it brings, then install it with --consent, or give y on standard input.'},
  );
}

/** The answer of the person, or that of a script; undefined without either. */
async function askOrRead(form: Form, list: readonly string[], means: Means): Promise<boolean | undefined> {
  const answer = await means.ask(form);
  if (answer.outcome === 'answered') return answer.values['agreed'] === true;
  if (answer.outcome === 'closed') return false;
  means.show(list);
  return means.read?.(`${form.fields[0]?.label ?? ''} [y/N]`);
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

function invalid(source: ExtensionSource, clause: string): KernelError {
  return new KernelError('EXTENSION_INVALID', `${source.location} cannot be installed: ${clause}.`, {
    hint: '`gemini extensions check <folder>` says what is wrong.',
  });
}
