import {execFile} from 'node:child_process';
import {createRequire} from 'node:module';
import {promisify} from 'node:util';
import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, rename, writeFile} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {
  createCatalog,
  findViolations,
  knownSchemas,
  writeValidators,
  type CatalogPlugin,
  type Manifest,
} from '@gemini-kernel/kernel/host';
import {writeManifests} from '@gemini-kernel/plugin-devkit/build';
import {buildHost} from './build-host.js';
import {buildLibrary} from './build-library.js';
import type {CatalogFile, OclifEntry} from './catalog-file.js';
import {hostServices} from './host-services.js';
import {readOclifEntry} from './installed-plugins.js';

interface Bundle {
  readonly name: string;
  readonly plugins: readonly (string | {readonly name: string})[];
  readonly start?: string;
  readonly prompt?: string;
  readonly apart?: readonly string[];
  readonly policies?: readonly string[];
  readonly settings?: ActiveBundle['settings'];
  readonly mcpServers?: Readonly<Record<string, unknown>>;
}

/** oclif's own command plugins that the product takes as they are. */
const OCLIF_PLUGINS = ['@oclif/plugin-help', '@oclif/plugin-autocomplete'];

interface BuiltPlugin {
  readonly root: string;
  readonly manifest: Manifest;
}

/**
 * Builds what a start needs, after tsc: the manifests of every first-party plugin, the catalog of a bundle, and the
 * host in one file.
 */
export async function buildDistribution(root: string, bundleName: string): Promise<void> {
  const out = join(root, 'bin', 'dist');
  const chosen = await readBundle(root, bundleName);
  const built = await buildPlugins(root);
  const plugins = choosePlugins(chosen, built);
  const items = await readItemSchemas(plugins);
  await writeCatalog({root, out, chosen, plugins, items});
  const manifests = plugins.map(({manifest}) => manifest);
  await writeFile(join(out, 'validators.cjs'), await writeValidators(knownSchemas({manifests, items})));
  const isApart = ({manifest}: BuiltPlugin): boolean => chosen.apart?.includes(manifest.name) ?? false;
  await buildHost({
    root,
    out,
    modules: modulesOf(plugins.filter((plugin) => !isApart(plugin))),
    apart: modulesOf(plugins.filter(isApart)),
  });
  await buildLibrary({root, plugins: [...built.values()], items, validators: join(out, 'validators.cjs')});
  await promisify(execFile)(process.execPath, [join(root, 'bin', 'warm.cjs')]);
}

/** Writes the manifests of every first-party plugin; gives them by name. */
async function buildPlugins(root: string): Promise<ReadonlyMap<string, BuiltPlugin>> {
  const built = new Map<string, BuiltPlugin>();
  for (const folder of (await readdir(join(root, 'plugins'))).sort()) {
    const pluginRoot = join(root, 'plugins', folder);
    const manifest = await writeManifests(pluginRoot);
    built.set(manifest.name, {root: pluginRoot, manifest});
  }
  return built;
}

/** The plugins that a bundle lists. */
function choosePlugins(chosen: Bundle, built: ReadonlyMap<string, BuiltPlugin>): readonly CatalogPlugin[] {
  return chosen.plugins.map((listed) => {
    const plugin = typeof listed === 'string' ? built.get(listed) : undefined;
    if (!plugin)
      throw new Error(
        `The bundle ${chosen.name} lists ${typeof listed === 'string' ? listed : listed.name}, which is not in ` +
          'plugins/.',
      );
    return {...plugin, origin: 'core' as const};
  });
}

interface CatalogParts {
  readonly root: string;
  readonly out: string;
  readonly chosen: Bundle;
  readonly plugins: readonly CatalogPlugin[];
  readonly items: Readonly<Record<string, JSONSchema>>;
}

/** What sources of a family list, as `source-items.js` of the plugin exports it: a start compiles no schema of it. */
async function readItemSchemas(plugins: readonly BuiltPlugin[]): Promise<Readonly<Record<string, JSONSchema>>> {
  const found = await Promise.all(
    plugins.map(async ({root}) => {
      const file = join(root, 'dist', 'source-items.js');
      return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Record<string, JSONSchema>) : {};
    }),
  );
  return Object.fromEntries(found.flatMap((schemas) => Object.entries(schemas)));
}

/** Writes `catalog.json`, and `commands.json` beside it. Throws when a plugin would be left out of the catalog. */
async function writeCatalog({root, out, chosen, plugins, items}: CatalogParts): Promise<void> {
  const oclifPlugins = await readOclifPlugins(root);
  const hostCommands = oclifPlugins.flatMap(({manifest}) =>
    Object.values(manifest.commands).flatMap(({id, aliases}) => [String(id), ...((aliases ?? []) as string[])]),
  );
  const {refused} = createCatalog(plugins, {host: {commands: hostCommands, services: hostServices}});
  if (refused.length > 0) throw new Error(refused.map(({name, reason}) => `${name}: ${reason}.`).join('\n'));
  const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {version: string};
  const place = (path: string): string => relative(out, path).split(sep).join('/');
  const catalog: CatalogFile = {
    format: 1,
    product: version,
    stamp: '',
    bundle: describeBundle(chosen, (path) => place(join(root, 'manifests', 'bundles', path))),
    hostCommands,
    items,
    plugins: plugins.map((plugin) => ({...plugin, root: place(plugin.root)})),
    refused: [],
  };
  const own = await Promise.all(plugins.map((plugin) => readOclifEntry(plugin.root, 'core')));
  await mkdir(out, {recursive: true});
  await writeJson(join(out, 'catalog.json'), catalog);
  await writeJson(
    join(out, 'commands.json'),
    [...own, ...oclifPlugins].map((entry) => ({...entry, root: place(entry.root)})),
  );
}

/** The files of the contributions of some plugins. */
function modulesOf(plugins: readonly BuiltPlugin[]): readonly string[] {
  const files = plugins.flatMap(({root, manifest: {tools, services, listeners, commands}}) =>
    [...tools, ...services, ...listeners, ...commands].map(({module}) => join(root, module)),
  );
  return [...new Set(files)];
}

async function readBundle(root: string, name: string): Promise<Bundle> {
  const manifests = join(root, 'manifests');
  const value: unknown = JSON.parse(await readFile(join(manifests, 'bundles', `${name}.json`), 'utf8'));
  const schema = JSON.parse(await readFile(join(manifests, 'schemas', 'bundle.schema.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const faults = await findViolations(schema, value, name);
  if (faults.length > 0) throw new Error(`The bundle ${name} is not valid: ${faults.join(' ')}`);
  return value as Bundle;
}

/** What a start needs to know of the bundle it is made of. */
function describeBundle(
  {name, start, prompt, policies, settings, mcpServers}: Bundle,
  place: (path: string) => string,
): NonNullable<CatalogFile['bundle']> {
  const enforced = {...settings?.enforced, ...(mcpServers ? {mcpServers} : {})};
  const brings = Object.keys(enforced).length > 0 ? {...settings, enforced} : settings;
  return {
    name,
    ...(start ? {start} : {}),
    ...(prompt ? {prompt} : {}),
    ...(brings ? {settings: brings} : {}),
    ...(policies ? {policies: policies.map(place)} : {}),
  };
}

function readOclifPlugins(root: string): Promise<readonly OclifEntry[]> {
  const {resolve} = createRequire(join(root, 'package.json'));
  const entries = OCLIF_PLUGINS.map((name) => {
    // Their packages do not export package.json, so it is looked for where Node would.
    const folder = resolve
      .paths(name)
      ?.map((path) => join(path, name))
      .find((path) => existsSync(join(path, 'package.json')));
    if (!folder) throw new Error(`${name} is not installed.`);
    return readOclifEntry(folder, 'core');
  });
  return Promise.all(entries);
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value));
  await rename(`${path}.new`, path);
}
