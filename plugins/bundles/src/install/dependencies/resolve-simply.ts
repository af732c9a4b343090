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

/** More packages than these are left to npm. */
const MOST = 200;
/** What the package is called in whose name npm is asked. */
const ROOT = 'dependencies';
/** As npm asks for what installing needs; for the times of versions it asks for everything. */
const ABBREVIATED = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*';
const FULL = 'application/json';
const LEFT_TO_NPM = new Set(['INSTALL_MISSING', 'INSTALL_UNAUTHORISED', 'INSTALL_UNREACHABLE']);

/**
 * Which packages are to be there, by their place, as the person's npm would say, without running it; undefined when
 * only npm can say.
 *
 * Simple means: whoever needs a package, by whatever range, would be given one and the same version of it even if
 * nobody else needed it. npm goes from package to package, takes for a need what lies there already and fits, and else
 * what its registry has for that need alone; it puts that beside the root unless another version lies there. Where all
 * needs of a name choose one version, nothing else can ever lie there, and what lies there always fits: the order of
 * going and the preference for what is there cannot show, and each package comes to lie beside the root. What breaks
 * this reasoning leads to npm: peers, settings of the person that are not known to be harmless, packages bound to a
 * machine, an engine that may not fit, an archive that npm would look into, a name that could be that of the root, and
 * everything a registry does not answer well. A package that is bound to a libc, of which short answers of registries
 * say nothing, is bound to an operating system too.
 *
 * Throws KernelError INSTALL_FORBIDDEN when a registry sends on to where it may not, MANAGED_UNMET, and the reason of
 * an abort.
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
    // What was asked for beside the one that failed is not waited for.
    stop.abort();
  }
}

async function resolveAll(
  installer: Installer,
  wanted: WantedDependencies,
): Promise<Readonly<Record<string, LockEntry>>> {
  const settings = await resolveSettings(installer);
  if (settings.length > 0) throw new NotSimple(`npm is told ${settings.join(', ')}`);
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
 * Where plugins may come from holds for what they need too. A registry that is not let in is not asked here; the
 * archive that npm finds there is refused by its version.
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

/**
 * What is needed because of this need and was not known to be; throws NotSimple when another version of the package was
 * taken.
 */
function take(need: Need, {packuments, taken, context}: Taking): readonly Need[] {
  const packument = packuments.get(need.name);
  if (!packument) throw new NotSimple(`${need.name} was not asked for`);
  const found = resolveVersion(packument, need, context);
  const known = taken.get(need.name);
  if (known && known.version !== found.version) throw new NotSimple(`${need.by} needs another ${need.name}`);
  if (known) return [];
  taken.set(need.name, found);
  return found.needs;
}

/** In npm's order; what nobody needs who is needed himself is optional. */
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
