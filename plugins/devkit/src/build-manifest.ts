import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {
  KernelError,
  type ErrorTable,
  type Flag,
  type Hook,
  type Listener,
  type Service,
  type Tool,
} from '@gemini-kernel/kernel';
import {
  findViolations,
  KERNEL_VERSION,
  satisfies,
  type CommandEntry,
  type ListenerEntry,
  type Manifest,
  type ServiceEntry,
  type ToolEntry,
} from '@gemini-kernel/kernel/host';
import {importBuilt, importFolder, type Found} from './contributions.js';
import {readPackage, type PluginPackage} from './plugin-package.js';
import {findSettingFlaws, readSettings} from './read-settings.js';

interface CommandClass {
  readonly summary?: string;
  readonly aliases?: readonly string[];
  readonly slash?: boolean;
  readonly terminal?: boolean;
}

/**
 * Reads the built contribution folders of a plugin and gives its manifest, valid against the published schema. Throws
 * KernelError BUILD_INVALID.
 */
export async function buildManifest(root: string): Promise<Manifest> {
  const {name = '', version = '', description = '', gemini: wanted} = await readPackage(root);
  const gemini = wanted ?? {};
  const kernel = checkKernel(name || root, gemini.kernel);
  if (!existsSync(join(root, 'dist')))
    throw new KernelError('BUILD_INVALID', `${name || root} is not compiled: there is no folder dist.`, {
      hint: 'Compile it first, for example with npx tsc.',
    });
  const [tools, services, hooks, listeners, commands, flags, settings] = await Promise.all([
    importFolder<Tool>(root, 'tools', 'tool'),
    importFolder<Service>(root, 'services', 'service'),
    importFolder<Hook>(root, 'hooks', 'hook'),
    importFolder<Listener>(root, 'listeners', 'listener'),
    importFolder<CommandClass>(root, 'commands', undefined),
    importFolder<Flag>(root, 'flags', 'flag'),
    readSettings(root),
  ]);
  const manifest: Manifest = {
    manifestVersion: 1,
    name,
    version,
    description,
    kernel,
    requires: {services: {}, ...gemini.requires},
    ...wishesOf(gemini),
    tools: tools.map(describeTool),
    services: services.map(describeService),
    hooks: hooks.map(({value}) => value),
    listeners: listeners.map(describeListener),
    commands: commands.map(describeCommand),
    flags: flags.map(({value}) => value),
    ...settings,
    errors: await readErrors(root),
  };
  // Validate exactly the JSON that is written.
  const plain = JSON.parse(JSON.stringify(manifest)) as Manifest;
  await checkManifest(plain, name || root);
  return plain;
}

/** Validates a manifest against the published schema, and its defaults against their schemas. */
async function checkManifest(manifest: Manifest, plugin: string): Promise<void> {
  const found = await findViolations(await readSchema(), manifest, 'manifest');
  const faults = found.length > 0 ? found : await findSettingFlaws(manifest.settings ?? []);
  if (faults.length > 0)
    throw new KernelError('BUILD_INVALID', `Cannot build ${plugin}: ${faults.slice(0, 3).join(' ')}`);
}

/** The range of kernels that a plugin supports, which must include this one. */
function checkKernel(plugin: string, kernel: string | undefined): string {
  if (!kernel)
    throw new KernelError('BUILD_INVALID', `${plugin} does not declare which kernel it supports.`, {
      hint: 'Add "gemini": {"kernel": "^0.2.0"} to its package.json.',
    });
  if (satisfies(KERNEL_VERSION, kernel)) return kernel;
  throw new KernelError('BUILD_INVALID', `${plugin} supports kernel ${kernel}, but this is ${KERNEL_VERSION}.`, {
    hint: `Set "gemini.kernel" in its package.json to a range that includes it, such as ^${KERNEL_VERSION}.`,
  });
}

function wishesOf({
  capabilities,
  optional,
  isolation,
  replaces,
}: NonNullable<PluginPackage['gemini']>): Pick<Manifest, 'capabilities' | 'optional' | 'isolation' | 'replaces'> {
  return {
    ...(capabilities ? {capabilities} : {}),
    ...(optional ? {optional} : {}),
    ...(isolation ? {isolation} : {}),
    ...(replaces ? {replaces} : {}),
  };
}

/** The published schema of manifests. */
export async function readSchema(): Promise<Record<string, unknown>> {
  const path = createRequire(import.meta.url).resolve('@gemini-kernel/manifests/schemas/plugin.schema.json');
  return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
}

function describeTool({module, value}: Found<Tool>): ToolEntry {
  const {name, description, effect, annotations = {}, input, output} = value;
  return {
    name,
    description,
    effect,
    annotations,
    input: input as ToolEntry['input'],
    ...(output ? {output} : {}),
    module,
  };
}

function describeService({module, value}: Found<Service>): ServiceEntry {
  const {name, version, scope, capability, reserved, local, methods} = value;
  return {
    ...{name, version, scope},
    ...(capability ? {capability} : {}),
    ...(reserved ? {reserved} : {}),
    ...(local ? {local} : {}),
    ...(methods ? {methods} : {}),
    module,
  };
}

function describeListener({module, value}: Found<Listener>): ListenerEntry {
  const {run: _, ...data} = value;
  return {...data, module};
}

function describeCommand({module, value}: Found<CommandClass>): CommandEntry {
  const words = module
    .replace(/^\.\/dist\/commands\//, '')
    .replace(/(\/index)?\.m?js$/, '')
    .split('/');
  const {summary = '', aliases = [], slash = false, terminal = false} = value;
  return {id: words.join(':'), aliases: [...aliases], summary, slash, ...(terminal ? {terminal} : {}), module};
}

async function readErrors(root: string): Promise<ErrorTable> {
  const file = join(root, 'dist', 'errors.js');
  if (!existsSync(file)) return {};
  return (await importBuilt<ErrorTable>(file, './dist/errors.js')).default ?? {};
}
