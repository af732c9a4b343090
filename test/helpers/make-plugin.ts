import {mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {CatalogPlugin, Manifest} from '@gemini-kernel/kernel/host';
import {checkout} from './plugin-root.js';

export interface PluginParts extends Partial<Omit<Manifest, 'manifestVersion'>> {
  readonly name: string;
  /** Whether it came with the product or a person installed it. */
  readonly origin?: CatalogPlugin['origin'];
  /** Code by path below the plugin, as plain JavaScript. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A folder that is removed with everything in it. */
export interface Folder {
  readonly path: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A temporary folder. */
export async function makeFolder(): Promise<Folder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'gemini-plugins-')));
  return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
}

/** Writes a plugin into `folder`, with the kernel lent to it, and gives it as a catalog holds it. */
export async function makePlugin(
  folder: string,
  {files = {}, origin = 'core', ...parts}: PluginParts,
): Promise<CatalogPlugin> {
  const root = await mkdtemp(join(folder, 'plugin-'));
  const manifest: Manifest = {
    manifestVersion: 1,
    version: '1.0.0',
    description: 'Made for a test.',
    kernel: '^0.2.0',
    requires: {services: {}},
    tools: [],
    services: [],
    hooks: [],
    listeners: [],
    commands: [],
    flags: [],
    errors: {},
    ...parts,
  };
  const all: Record<string, string> = {
    'package.json': JSON.stringify({name: parts.name, version: manifest.version, type: 'module'}),
    'gemini.plugin.json': JSON.stringify(manifest),
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    await mkdir(dirname(join(root, name)), {recursive: true});
    await writeFile(join(root, name), content);
  }
  await mkdir(join(root, 'node_modules', '@gemini-kernel'), {recursive: true});
  await symlink(join(checkout, 'kernel'), join(root, 'node_modules', '@gemini-kernel', 'kernel'), 'junction');
  return {root, origin, manifest};
}

/** Code of a listener file whose `run` has this body. */
export function listenerCode(hook: string, body: string, spec = ''): string {
  return (
    `import {listen} from '@gemini-kernel/kernel';\nexport default listen('${hook}', {${spec} async run(payload, ` +
    `context) { ${body} }});\n`
  );
}
