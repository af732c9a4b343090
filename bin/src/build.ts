import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {createRequire} from 'node:module';
import {promisify} from 'node:util';
import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import {build as bundle} from 'esbuild';
import type {ActiveBundle} from '@gemini-kernel/kernel';
import {createCatalog, findViolations, writeValidators, type Manifest} from '@gemini-kernel/kernel/host';
import {writeManifests} from '@gemini-kernel/plugin-devkit/build';
import type {CatalogFile, OclifEntry} from './catalog-file.js';
import {knownSchemas} from './known-schemas.js';
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

/**
 * Builds what a start needs, after tsc: the manifests of every first-party plugin, the catalog of a bundle, and the
 * host in one file.
 */
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
  const plugins = chosen.plugins.map((listed) => {
    const plugin = typeof listed === 'string' ? built.get(listed) : undefined;
    if (!plugin)
      throw new Error(
        `The bundle ${chosen.name} lists ${typeof listed === 'string' ? listed : listed.name}, which is not in ` +
          'plugins/.',
      );
    return {...plugin, origin: 'core' as const};
  });
  const oclifPlugins = await readOclifPlugins(root);
  const hostCommands = oclifPlugins.flatMap(({manifest}) =>
    Object.values(manifest.commands).flatMap(({id, aliases}) => [String(id), ...((aliases ?? []) as string[])]),
  );
  const {refused} = createCatalog(plugins, {hostCommands});
  if (refused.length > 0) throw new Error(refused.map(({name, reason}) => `${name}: ${reason}.`).join('\n'));
  const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {version: string};
  const place = (path: string): string => relative(out, path).split(sep).join('/');
  const catalog: CatalogFile = {
    format: 1,
    product: version,
    stamp: '',
    bundle: describeBundle(chosen, (path) => place(join(root, 'manifests', 'bundles', path))),
    hostCommands,
    plugins: plugins.map((plugin) => ({...plugin, root: place(plugin.root)})),
    refused: [],
  };
  const own = await Promise.all(plugins.map(({root: pluginRoot}) => readOclifEntry(pluginRoot, 'core')));
  await mkdir(out, {recursive: true});
  await writeJson(join(out, 'catalog.json'), catalog);
  await writeJson(
    join(out, 'commands.json'),
    [...own, ...oclifPlugins].map((entry) => ({...entry, root: place(entry.root)})),
  );
  const isApart = ({manifest}: {readonly manifest: Manifest}): boolean =>
    chosen.apart?.includes(manifest.name) ?? false;
  const modulesOf = (some: typeof plugins): readonly string[] => [
    ...new Set(
      some.flatMap(({root: pluginRoot, manifest}) =>
        [...manifest.tools, ...manifest.services, ...manifest.listeners, ...manifest.commands].map(({module}) =>
          join(pluginRoot, module),
        ),
      ),
    ),
  ];
  await writeFile(
    join(out, 'validators.cjs'),
    await writeValidators(knownSchemas(plugins.flatMap(({manifest}) => manifest.tools))),
  );
  await buildHost({
    root,
    out,
    modules: modulesOf(plugins.filter((plugin) => !isApart(plugin))),
    apart: modulesOf(plugins.filter(isApart)),
  });
  await promisify(execFile)(process.execPath, [join(root, 'bin', 'warm.cjs')]);
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

interface HostParts {
  readonly root: string;
  readonly out: string;
  /** Files of contributions, absolute. */
  readonly modules: readonly string[];
  /** Those that stand in a script of their own. */
  readonly apart: readonly string[];
}

/** What a second script takes from the first: there is one kernel and one oclif. */
const SHARED = [
  '@gemini-kernel/files',
  ...[
    '@gemini-kernel/kernel',
    '@gemini-kernel/kernel/host',
    '@gemini-kernel/command',
    '@gemini-kernel/command/visible',
    '@gemini-kernel/admission/start',
  ],
  '@oclif/core',
];

/** Packages that plugins import only when needed, each a script of its own: as modules they take far longer to load. */
const PACKAGES: Readonly<Record<string, string>> = {'@google/genai/web': 'genai'};

/**
 * Two scripts with the program, the kernel, oclif, ajv and every module of the bundle's plugins, each module evaluated
 * on first use.
 */
async function buildHost({root, out, modules, apart}: HostParts): Promise<void> {
  const path = (from: string, file: string): string => relative(from, file).split(sep).join('/');
  const carry = (files: readonly string[]): string =>
    `{${files.map((file) => `${JSON.stringify(path(root, file))}: () => import(${JSON.stringify(`./${path(out, file)}`)})`).join(',')}}`;
  const shared = SHARED.map((name, index) => `import * as s${index} from ${JSON.stringify(name)};`).join('\n');
  const host = [
    shared,
    `export {main} from './main.js';`,
    `export const carried = ${carry(modules)};`,
    `export const apart = ${JSON.stringify(apart.map((file) => path(root, file)))};`,
    `export const shared = {${SHARED.map((name, index) => `${JSON.stringify(name)}: s${index}`).join(',')}};`,
    `export const packages = ${JSON.stringify(PACKAGES)};`,
    `export const validators = () => import('./validators.cjs');`,
  ];
  for (const old of await readdir(out)) if (/^[a-z]+-.*\.cache$/.test(old)) await rm(join(out, old));
  const packages = Object.keys(PACKAGES);
  await buildScript({root, out, name: 'host', contents: host.join('\n'), external: packages});
  const rest = `export const carried = ${carry(apart)};`;
  await buildScript({root, out, name: 'apart', contents: rest, external: [...SHARED, ...packages]});
  for (const [name, script] of Object.entries(PACKAGES))
    await buildScript({root, out, name: script, contents: `export * from ${JSON.stringify(name)};`, external: []});
}

interface Script {
  readonly root: string;
  readonly out: string;
  readonly name: string;
  readonly contents: string;
  readonly external: readonly string[];
}

async function buildScript({root, out, name, contents, external}: Script): Promise<void> {
  const path = (file: string): string => relative(out, file).split(sep).join('/');
  const result = await bundle({
    stdin: {contents, resolveDir: out},
    bundle: true,
    write: false,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'ascii',
    logLevel: 'error',
    external: ['typescript', 'ts-node', 'tsx', 'pnpapi', ...external],
    // Written validators call ajv's own helpers, of the copy that the kernel has.
    alias: {ajv: dirname(createRequire(join(root, 'kernel', 'package.json')).resolve('ajv/package.json'))},
    plugins: [
      {
        name: 'place-modules',
        setup: ({onLoad}) =>
          onLoad({filter: /\/plugins\/[^/]+\/dist\/.*\.js$/}, async ({path: file}) => ({
            contents: placeModule(await readFile(file, 'utf8'), path(file)),
            loader: 'js',
          })),
      },
    ],
  });
  // A cached script cannot import by itself: see bin/load-bundle.cjs.
  const text = (result.outputFiles[0]?.text ?? '').replaceAll(/\bimport\(/g, '__import(');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  await writeFile(join(out, `${name}.cjs.new`), `//${digest}\n${text}`);
  await rename(join(out, `${name}.cjs.new`), join(out, `${name}.cjs`));
}

/**
 * A bundled module's own URL is that of the file it was made from. A package that it imports only when needed stays
 * where it is installed: carrying it would cost every start.
 */
function placeModule(source: string, file: string): string {
  const own = `require('node:path').join(__dirname, ${JSON.stringify(file)})`;
  const toUrl = (path: string): string => `require('node:url').pathToFileURL(${path}).href`;
  return source
    .replaceAll('import.meta.url', toUrl(own))
    .replaceAll(/\bimport\((['"])(?!node:)([^.'"][^'"]*)\1\)/g, (_, __, name: string) =>
      name in PACKAGES
        ? `Promise.resolve().then(() => require(${JSON.stringify(name)}))`
        : `import(${toUrl(`require('node:module').createRequire(${own}).resolve(${JSON.stringify(name)})`)})`,
    );
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value));
  await rename(`${path}.new`, path);
}
