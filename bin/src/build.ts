import {createRequire} from 'node:module';
import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {build as bundle} from 'esbuild';
import {createCatalog, findViolations, type Manifest} from '@gemini-kernel/kernel/host';
import {writeManifests} from '@gemini-kernel/plugin-devkit/build';
import type {CatalogFile, OclifEntry} from './catalog-file.js';
import {readOclifEntry} from './user-catalog.js';

interface Bundle {
  readonly name: string;
  readonly plugins: readonly string[];
  readonly start?: string;
}

/** oclif's own command plugins that the product takes as they are. */
const OCLIF_PLUGINS = ['@oclif/plugin-plugins', '@oclif/plugin-help', '@oclif/plugin-autocomplete'];

/** Builds what a start needs, after tsc: the manifests of every first-party plugin, the catalog of a bundle, and the host in one file. */
export async function buildDistribution(root: string, bundleName: string): Promise<void> {
  const out = join(root, 'bin', 'dist');
  const chosen = await readBundle(root, bundleName);
  const folders = (await readdir(join(root, 'plugins'))).sort();
  const built = new Map<string, {root: string; manifest: Manifest}>();
  for (const folder of folders) {
    const pluginRoot = join(root, 'plugins', folder);
    const manifest = await writeManifests(pluginRoot);
    built.set(manifest.name, {root: pluginRoot, manifest});
  }
  const plugins = chosen.plugins.map((name) => {
    const plugin = built.get(name);
    if (!plugin) throw new Error(`The bundle ${chosen.name} lists ${name}, which is not in plugins/.`);
    return {...plugin, origin: 'core' as const};
  });
  const {refused} = createCatalog(plugins);
  if (refused.length > 0) throw new Error(refused.map(({name, reason}) => `${name}: ${reason}.`).join('\n'));
  const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {version: string};
  const place = (path: string): string => relative(out, path).split(sep).join('/');
  const catalog: CatalogFile = {
    format: 1,
    product: version,
    stamp: '',
    bundle: {name: chosen.name, ...(chosen.start ? {start: chosen.start} : {})},
    plugins: plugins.map((plugin) => ({...plugin, root: place(plugin.root)})),
    refused: [],
  };
  const commands = [...plugins.map(({root: pluginRoot}) => readOclifEntry(pluginRoot, 'core')), ...readOclifPlugins(root)];
  await mkdir(out, {recursive: true});
  await writeJson(join(out, 'catalog.json'), catalog);
  await writeJson(join(out, 'commands.json'), commands.map((entry) => addFlags({...entry, root: place(entry.root)}, catalog)));
  await buildHost(out);
}

async function readBundle(root: string, name: string): Promise<Bundle> {
  const manifests = join(root, 'manifests');
  const value: unknown = JSON.parse(await readFile(join(manifests, 'bundles', `${name}.json`), 'utf8'));
  const schema = JSON.parse(await readFile(join(manifests, 'schemas', 'bundle.schema.json'), 'utf8')) as Record<string, unknown>;
  const faults = await findViolations(schema, value, name);
  if (faults.length > 0) throw new Error(`The bundle ${name} is not valid: ${faults.join(' ')}`);
  return value as Bundle;
}

function readOclifPlugins(root: string): readonly OclifEntry[] {
  const {resolve} = createRequire(join(root, 'package.json'));
  return OCLIF_PLUGINS.map((name) => {
    // Their packages do not export package.json, so it is looked for where Node would.
    const folder = resolve.paths(name)?.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
    if (!folder) throw new Error(`${name} is not installed.`);
    return readOclifEntry(folder, 'core');
  });
}

/** Contributed flags stand in the help of every command that takes them. */
function addFlags(entry: OclifEntry, catalog: CatalogFile): OclifEntry {
  const own = catalog.plugins.find(({manifest}) => manifest.name === entry.name);
  if (!own) return entry;
  const contributed = catalog.plugins.flatMap(({manifest}) => manifest.flags).map(({name, description, type, char, multiple, options}) => [
    name,
    {name, description, helpGroup: 'GLOBAL', ...(type === 'boolean' ? {type: 'boolean', allowNo: true} : {type: 'option', multiple: multiple ?? false, hasDynamicHelp: false, ...(options ? {options} : {})}), ...(char ? {char} : {})},
  ]);
  const flags = Object.fromEntries(contributed) as Record<string, unknown>;
  const commands = Object.entries(entry.manifest.commands).map(([id, command]) => [id, {...command, flags: {...(command['flags'] as object), ...flags}}]);
  return {...entry, manifest: {...entry.manifest, commands: Object.fromEntries(commands) as OclifEntry['manifest']['commands']}};
}

async function buildHost(out: string): Promise<void> {
  const result = await bundle({
    entryPoints: [join(out, 'main.js')],
    bundle: true, write: false, minify: true, keepNames: true, platform: 'node', format: 'cjs', target: 'node20', charset: 'ascii', logLevel: 'error',
    external: ['typescript', 'ts-node', 'tsx', 'pnpapi'],
    define: {'import.meta.url': 'undefined'},
  });
  const text = result.outputFiles[0]?.text ?? '';
  for (const old of await readdir(out)) if (/^host-.*\.cache$/.test(old)) await rm(join(out, old));
  // A cached script cannot import by itself: see bin/gemini.cjs.
  await writeFile(join(out, 'host.cjs.new'), text.replaceAll('import(', '__import('));
  await rename(join(out, 'host.cjs.new'), join(out, 'host.cjs'));
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value));
  await rename(`${path}.new`, path);
}

