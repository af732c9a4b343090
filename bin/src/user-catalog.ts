import type {ForeignWriter} from '@gemini-kernel/files';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import {findExpired} from '@gemini-kernel/admission/start';
import type {Refusal} from '@gemini-kernel/kernel/host';
import type {AppliedBundle} from './active-bundles.js';
import {readOclifEntries, type CatalogFile, type OclifEntry} from './catalog-file.js';
import type {TreePlace} from './checked-tree.js';
import {compileUserCatalog} from './compile-user-catalog.js';
import type {InstalledPlugin} from './installed-plugins.js';
import {findChange, findPlace, findTree} from './installed-trees.js';
import {keepCatalog, readKeptCatalog} from './kept-catalog.js';
import {markPlaces, markPlugins} from './mark-installs.js';
import {findUnsafeInstalls} from './unsafe-installs.js';

/** `catalog.json` of a person: what is installed, and what decides about it. */
export interface InstalledCatalog extends CatalogFile {
  readonly plugins: readonly InstalledPlugin[];
  readonly bundles: readonly AppliedBundle[];
  /** Plugins of the product that an administrator has blocked by name. */
  readonly withheld: readonly string[];
  /** Plugins without which an administrator lets nothing run unattended. */
  readonly required: readonly string[];
  /** Why the rules, or a bundle, cannot be relied on. */
  readonly unreliable?: string;
  /** Why what the person installed or applied cannot be relied on. */
  readonly broken?: InstallFault;
}

export interface InstallFault {
  /** The file or folder that is at fault. */
  readonly root: string;
  readonly message: string;
  readonly hint: string;
}

export interface UserCatalogParts {
  readonly installs: InstallPlaces;
  /** Where the compiled catalog is kept, and what was seen of each tree. */
  readonly data: string;
  readonly cache: string;
  readonly home: string;
  readonly product: string;
  /** Whether only what a lock pins may load. */
  readonly frozen: boolean;
  readonly now: Date;
}

export interface UserCatalog extends Omit<InstalledCatalog, 'format' | 'stamp' | 'product'> {
  /** What only help and oclif's own commands need. */
  readCommands(): readonly OclifEntry[];
  /** The tree that a file of an installed plugin belongs to, where what runs is held against it. */
  treeOf(file: string): TreePlace | undefined;
  /** The same, also where holding it would cost this program too much. */
  placeOf(file: string): TreePlace | undefined;
}

/**
 * What is installed, from a catalog that is compiled again when a lock, a rule, a bundle or a linked plugin changed;
 * each tree is held against its lock at every start. Undefined when nothing is installed and there is no rule. What
 * cannot be used is left out with the reason; a catalog that cannot be kept is reported and compiled by every start.
 */
export async function readUserCatalog(parts: UserCatalogParts): Promise<UserCatalog | undefined> {
  const marks = markPlaces(parts.installs);
  if (marks.areEmpty) return undefined;
  const stampFor = (made: Made): string => stampOf(made, parts, marks.all);
  // Where an administrator decides, nothing counts that the person could have written: all of it is compiled again.
  const unsafe = findUnsafeInstalls(parts);
  const kept = marks.areManaged || unsafe ? undefined : readKeptCatalog(parts.data, stampFor);
  if (kept) return checkInstalled(kept, () => readOclifEntries(parts.data), parts);
  const {catalog: made, commands, isSpoiled} = await compileUserCatalog(parts);
  const catalog = {...made, stamp: stampFor(made)};
  if (unsafe) return checkInstalled(withoutUser(catalog, unsafe), () => commands, parts);
  keepCatalog({catalog, commands, isSpoiled}, parts);
  return checkInstalled(catalog, () => commands, parts);
}

type Made = Pick<InstalledCatalog, 'plugins' | 'refused'>;

/** What a catalog was made from; another text means that it must be compiled again. */
function stampOf({plugins, refused}: Made, parts: UserCatalogParts, marks: readonly string[]): string {
  const {product, installs, frozen} = parts;
  return [product, installs.program, String(frozen), ...marks, ...markPlugins(plugins, refused)].join('\n');
}

/** Everything that others could have written is left out. */
function withoutUser(catalog: InstalledCatalog, {path, reason, repair}: ForeignWriter): InstalledCatalog {
  return {
    ...catalog,
    plugins: catalog.plugins.filter(({scope}) => scope === 'system'),
    bundles: catalog.bundles.filter(({origin}) => origin === 'system'),
    broken: {
      root: path,
      message: `What is installed does not load, as others may have changed it: ${path}: ${reason}.`,
      hint: `Look at what is there, then run: ${repair}`,
    },
  };
}

/** Leaves out what is no longer what it was, or whose bundle has expired. */
async function checkInstalled(
  catalog: InstalledCatalog,
  readCommands: UserCatalog['readCommands'],
  {cache, now}: UserCatalogParts,
): Promise<UserCatalog> {
  const refused: Refusal[] = [...catalog.refused];
  const plugins: InstalledPlugin[] = [];
  for (const plugin of catalog.plugins) {
    const {root, manifest} = plugin;
    const reason = findUnbacked(plugin, catalog.bundles, now) ?? (await findChange(plugin, cache));
    if (reason) refused.push({name: manifest.name, root, reason});
    else plugins.push(plugin);
  }
  const places = {
    treeOf: (file: string) => findTree(plugins, file, cache),
    placeOf: (file: string) => findPlace(plugins, file, cache),
  };
  return {...catalog, plugins, refused, readCommands, ...places};
}

/** A bundle decides about what came with it, and a person's about nothing of the administrator's. */
function findUnbacked(
  {scope, bundle}: InstalledPlugin,
  bundles: readonly AppliedBundle[],
  now: Date,
): string | undefined {
  if (bundle === undefined) return undefined;
  const origin = scope === 'system' ? 'system' : 'user';
  const found = bundles.find((one) => one.name === bundle && one.origin === origin);
  return found ? findExpired(found, now) : `its bundle ${bundle} is not in force; apply it again`;
}
