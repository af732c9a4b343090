import {realpath} from 'node:fs/promises';
import {execPath} from 'node:process';
import {KernelError} from '@gemini-kernel/kernel';
import {fetchPackument, registryOf, type Packument} from '../fetch/resolve-registry.js';
import {judgeAddress, judgeEarly} from '../judge/judge-rules.js';
import type {Installer} from '../source/installer.js';
import {resolveSettings} from '../source/resolve-settings.js';
import type {LockEntry, WantedDependencies} from './resolve-by-npm.js';
import {resolveNode} from './resolve-node.js';
import {
  needsOf,
  NotSimple,
  resolveVersion,
  type Need,
  type SimpleVersion,
  type VersionContext,
} from './resolve-version.js';
import {sideBySide} from './side-by-side.js';

/** Larger graphs are left to npm. */
const MOST = 200;
/** The name of the package that npm is asked about. */
const ROOT = 'dependencies';
/** The short form that npm requests for installing; for publication times npm requests the full form. */
const ABBREVIATED = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*';
const FULL = 'application/json';
const LEFT_TO_NPM = new Set(['INSTALL_MISSING', 'INSTALL_UNAUTHORISED', 'INSTALL_UNREACHABLE']);

/**
 * Which packages are needed, by place, as the user's npm would resolve them, without running npm; undefined when only
 * npm can tell.
 *
 * Simple means: for each package name, every range that is asked for would choose the same version on its own. npm
 * goes from package to package. It takes a package that is already placed if it fits, and otherwise what the registry
 * has for that one range; it places it at the root unless another version is there. When all ranges of a name choose
 * one version, no other version can be placed, and the placed one always fits. So neither the order nor the preference
 * for placed packages matters, and each package is placed at the root. Anything that breaks this reasoning is left to
 * npm: peers, user settings that are not known to be harmless, packages for one kind of machine, an engine that may
 * not fit, an archive that npm would look into, a name that could be that of the root, and every unusual answer of a
 * registry. A package that is bound to a libc, which short answers of registries do not mention, is bound to an
 * operating system too.
 *
 * Throws KernelError INSTALL_FORBIDDEN when a registry redirects to a forbidden address, MANAGED_UNMET, and the reason
 * of an abort.
 */
export async function resolveSimply(
  installer: Installer,
  wanted: WantedDependencies,
): Promise<Readonly<Record<string, LockEntry>> | undefined> {
  const stop = new AbortController();
  try {
    return await resolveAll({...installer, signal: AbortSignal.any([installer.signal, stop.signal])}, wanted);
  } catch (error) {
    installer.signal.throwIfAborted();
    if (error instanceof NotSimple || (error instanceof KernelError && LEFT_TO_NPM.has(error.code))) return undefined;
    throw error;
  } finally {
    // Do not wait for the requests that were started together with the failed one.
    stop.abort();
  }
}

async function resolveAll(
  installer: Installer,
  wanted: WantedDependencies,
): Promise<Readonly<Record<string, LockEntry>>> {
  const settings = await resolveSettings(installer);
  if (settings.length > 0) throw new NotSimple(`npm is configured with ${settings.join(', ')}`);
  const isOwnNode = (await resolveNode(installer)) === (await realpath(execPath));
  const context: VersionContext = {isOwnNode, ...(wanted.before ? {before: wanted.before} : {})};
  const taken = new Map<string, SimpleVersion>();
  const packuments = new Map<string, Packument>();
  const first = needsOf(ROOT, wanted);
  for (let needs = first; needs.length > 0;) {
    const unknown = [...new Set(needs.map(({name}) => name))].filter((name) => !packuments.has(name));
    if (unknown.some((name) => name === ROOT || name === wanted.plugin.name) || packuments.size + unknown.length > MOST)
      throw new NotSimple(`${wanted.plugin.name} needs ${unknown.join(', ')}`);
    await sideBySide(unknown, async (name) => void packuments.set(name, await askFor(installer, name, wanted)));
    needs = needs.flatMap((need) => take(need, {packuments, taken, context}));
  }
  return entriesOf(taken, first);
}

async function askFor(installer: Installer, name: string, {before}: WantedDependencies): Promise<Packument> {
  const options = await installer.npm();
  refuseForbidden(installer, name, registryOf(name, options));
  const judge = (url: string): void => judgeAddress(installer, {url, what: name, kinds: ['registry']});
  return fetchPackument({name, options, signal: installer.signal, accept: before ? FULL : ABBREVIATED, judge});
}

/**
 * Rules about sources apply to dependencies too. A forbidden registry is not asked here; the archive that npm finds
 * there is refused by its version.
 */
function refuseForbidden(installer: Installer, name: string, registry: string): void {
  try {
    judgeEarly(installer, {source: {type: 'registry', registry, wanted: ''}, what: name});
  } catch (cause) {
    if (!(cause instanceof KernelError) || cause.code !== 'INSTALL_FORBIDDEN') throw cause;
    throw new NotSimple(cause.message, {cause});
  }
}

interface Taking {
  readonly packuments: ReadonlyMap<string, Packument>;
  readonly taken: Map<string, SimpleVersion>;
  readonly context: VersionContext;
}

/** The new dependencies that this one leads to; throws NotSimple when another version of the package was chosen. */
function take(need: Need, {packuments, taken, context}: Taking): readonly Need[] {
  const packument = packuments.get(need.name);
  if (!packument) throw new NotSimple(`${need.name} was not requested`);
  const found = resolveVersion(packument, need, context);
  const known = taken.get(need.name);
  if (known && known.version !== found.version) throw new NotSimple(`${need.by} needs another ${need.name}`);
  if (known) return [];
  taken.set(need.name, found);
  return found.needs;
}

/** In npm's order; a package that only optional packages need is optional. */
function entriesOf(
  taken: ReadonlyMap<string, SimpleVersion>,
  first: readonly Need[],
): Readonly<Record<string, LockEntry>> {
  const required = new Set<string>();
  const visit = (needs: readonly Need[]): void => {
    for (const {name} of needs.filter((need) => !need.isOptional && !required.has(need.name))) {
      required.add(name);
      visit(taken.get(name)?.needs ?? []);
    }
  };
  visit(first);
  const names = [...taken.keys()].sort((a, b) => a.localeCompare(b, 'en'));
  return Object.fromEntries(
    names.map((name) => [
      `node_modules/${name}`,
      {...taken.get(name)?.entry, ...(required.has(name) ? {} : {optional: true})},
    ]),
  );
}
