import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {
  knownSchemas,
  useValidators,
  type CatalogPlugin,
  type ImportFile,
  type Manifest,
} from '@gemini-kernel/kernel/host';

/** `product.mjs`, which the build writes beside this file: the plugins that the SDK depends on. */
interface Built {
  readonly product: {readonly manifests: readonly Manifest[]; readonly items: Readonly<Record<string, JSONSchema>>};
  /** Modules by the name of their plugin and their path in it. */
  readonly carried: Readonly<Record<string, () => ReturnType<ImportFile>>>;
  readonly validators: Parameters<typeof useValidators>[0];
}

/** What an agent is made of. */
export interface Product {
  readonly plugins: readonly CatalogPlugin[];
  /** Gives the module of one of the plugins; undefined for any other file. */
  readonly moduleOf: (file: string) => ReturnType<ImportFile> | undefined;
}

/** Reads the plugins that the SDK depends on. Their code is evaluated on first use. */
export async function readProduct(): Promise<Product> {
  const file = new URL('./product.mjs', import.meta.url).href;
  const {product, carried, validators} = (await import(file)) as Built;
  useValidators(validators, knownSchemas(product));
  const {resolve} = createRequire(import.meta.url);
  const plugins = product.manifests.map((manifest) => {
    const root = dirname(resolve(`${manifest.name}/package.json`));
    return {root, origin: 'core' as const, manifest};
  });
  const modules = new Map(
    plugins.flatMap(({root, manifest: {name, tools, services, listeners}}) =>
      [...tools, ...services, ...listeners].map(({module}) => [join(root, module), carried[`${name}/${module}`]]),
    ),
  );
  return {plugins, moduleOf: (path) => modules.get(path)?.()};
}

/** Imports a file as Node does. */
export const importFile: ImportFile = (file) => import(pathToFileURL(file).href) as ReturnType<ImportFile>;
