import {join} from 'node:path';
import type {ActiveBundle, InstallPlaces} from '@gemini-kernel/admission/contract';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {placePlugins, readCatalogFile, type CatalogFile} from './catalog-file.js';
import {chooseProduct} from './choose-product.js';
import type {Places} from '@gemini-kernel/admission/start';
import type {Program} from './program.js';
import {readUserCatalog, type UserCatalog} from './user-catalog.js';

/** What came with the product and what was installed beside it, before both are joined. */
export interface InstalledState {
  readonly core: CatalogFile;
  /** Ids of commands that the host has beside all plugins. */
  readonly hostCommands: readonly string[];
  /** Plugins of the product that stay, with absolute folders. */
  readonly product: readonly CatalogPlugin[];
  /** What a person or an administrator installed; undefined when nothing is. */
  readonly user: UserCatalog | undefined;
  readonly bundles: readonly ActiveBundle[];
}

export interface StateSources {
  readonly program: Pick<Program, 'root' | 'argv'>;
  readonly places: Pick<Places, 'home' | 'data' | 'cache'>;
  readonly installs: InstallPlaces;
}

/** Reads the catalog of the product and that of what is installed. What cannot be used is in it with the reason. */
export async function readInstalledState({program, places, installs}: StateSources): Promise<InstalledState> {
  const folder = join(program.root, 'bin', 'dist');
  const core = readCatalogFile(join(folder, 'catalog.json'));
  const user = await readUserCatalog({
    installs,
    data: places.data,
    cache: places.cache,
    home: places.home,
    product: core.product,
    frozen: isFrozen(program.argv),
    now: new Date(),
  });
  const product = placePlugins(core, folder);
  return {
    core,
    hostCommands: core.hostCommands ?? [],
    product: user ? chooseProduct(product, user) : product,
    user,
    bundles: [...bundleOf(core, folder), ...(user?.bundles ?? [])],
  };
}

/** Whether the line says `--frozen`: it counts before any plugin is read that could declare it. */
function isFrozen(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--frozen');
}

/** What the product's own bundle brings beside plugins. */
function bundleOf({bundle}: CatalogFile, folder: string): readonly ActiveBundle[] {
  if (!bundle?.settings && !bundle?.policies) return [];
  return [
    {
      name: bundle.name,
      origin: 'product',
      settings: bundle.settings ?? {},
      policies: (bundle.policies ?? []).map((path) => join(folder, path)),
    },
  ];
}
