import {lstatSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ActiveBundle} from '@gemini-kernel/kernel';
import type {PublicKeys} from '@gemini-kernel/kernel/admission';
import {messageOf} from '@gemini-kernel/kernel/host';

/** A bundle that somebody applied, with what a start needs of it. */
export interface AppliedBundle extends ActiveBundle {
  /** From then on its plugins no longer load. */
  readonly expires?: string;
  /** Plugins of the product that stay; empty: all. */
  readonly product: readonly string[];
}

/** The part of `bundle.lock.json` that is read here; its schema was checked when it was applied. */
interface BundleLock {
  readonly name: string;
  readonly serial: number;
  readonly expires?: string;
  readonly plugins: {readonly product: readonly string[]};
  readonly policies: readonly {readonly path: string; readonly digest: string}[];
  readonly settings?: ActiveBundle['settings'];
  readonly mcpServers?: Readonly<Record<string, unknown>>;
}

/** Sizes and times of every applied bundle below a folder. */
export function markBundles(folder: string): string {
  try {
    return namesIn(folder).map((name) => markOf(join(folder, name, 'bundle.lock.json'))).join('\n');
  } catch (error) {
    // A folder that may not be entered; reading says so.
    return messageOf(error);
  }
}

export interface BundleReading {
  readonly bundles: readonly AppliedBundle[];
  /** Bundles that cannot be relied on, each with the reason. */
  readonly broken: readonly {readonly name: string; readonly root: string; readonly reason: string}[];
}

/** Reads every applied bundle below a folder. `signedBy` are the public keys one of which must have signed it, where that is asked for. */
export async function readBundles(folder: string, origin: 'user' | 'system', signedBy?: PublicKeys): Promise<BundleReading> {
  const bundles: AppliedBundle[] = [];
  const broken: BundleReading['broken'][number][] = [];
  for (const name of listBundles(folder, broken)) {
    const root = join(folder, name);
    try {
      bundles.push(await readBundle(root, origin, signedBy));
    } catch (error) {
      broken.push({name, root, reason: `the bundle ${name} in ${folder} cannot be relied on: ${messageOf(error)}`});
    }
  }
  return {bundles, broken};
}

/** The names of what is there; a folder that cannot be listed is itself broken. */
function listBundles(folder: string, broken: BundleReading['broken'][number][]): readonly string[] {
  try {
    return namesIn(folder);
  } catch (error) {
    broken.push({name: 'bundles', root: folder, reason: `${folder} cannot be read: ${messageOf(error)}`});
    return [];
  }
}

async function readBundle(root: string, origin: 'user' | 'system', signedBy: PublicKeys | undefined): Promise<AppliedBundle> {
  const {createHash} = await import('node:crypto');
  const text = readFileSync(join(root, 'bundle.lock.json'), 'utf8');
  if (signedBy) await checkSigned(root, text, signedBy);
  const lock = JSON.parse(text) as BundleLock;
  for (const {path, digest} of lock.policies) {
    if (`sha256-${createHash('sha256').update(readFileSync(join(root, path))).digest('hex')}` !== digest) throw new Error(`its ${path} is not the one that was signed`);
  }
  return describeBundle(lock, root, origin);
}

/** What `gemini bundle sign` signs, as it was when the bundle was applied. */
async function checkSigned(root: string, text: string, keys: PublicKeys): Promise<void> {
  const {findSignatureFault, parseSignature} = await import('@gemini-kernel/kernel/admission');
  const signatures = JSON.parse(readFileSync(join(root, 'bundle.lock.json.sig'), 'utf8')) as unknown[];
  const faults = signatures.map((one) => findSignatureFault(`gemini-bundle-signature 1\n${text}`, parseSignature(JSON.stringify(one)), keys));
  if (!faults.includes(undefined)) throw new Error(faults[0] ?? 'nobody signed it');
}

function describeBundle({name, serial, expires, plugins, policies, settings, mcpServers}: BundleLock, root: string, origin: 'user' | 'system'): AppliedBundle {
  const enforced = {...settings?.enforced, ...(mcpServers ? {mcpServers: {...(settings?.enforced?.['mcpServers'] as object | undefined), ...mcpServers}} : {})};
  return {
    name, origin, serial,
    ...(expires ? {expires} : {}),
    product: plugins.product,
    settings: {...(settings?.defaults ? {defaults: settings.defaults} : {}), ...(Object.keys(enforced).length > 0 ? {enforced} : {})},
    policies: policies.map(({path}) => join(root, path)),
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, {withFileTypes: true}).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({name}) => name).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** What changes when a file may have; the same text for a file that is not there. */
export function markOf(path: string): string {
  try {
    const stats = lstatSync(path, {throwIfNoEntry: false});
    return stats ? `${path} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}` : 'none';
  } catch (error) {
    // What is in a folder that may not be entered, reading says; below a file there is nothing.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'none' : messageOf(error);
  }
}
