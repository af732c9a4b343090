import {randomUUID} from 'node:crypto';
import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {boot, type Kernel} from '../boot.js';
import {glassWall} from './glass-wall.js';
import type {ToolOutcome} from '../contract/call.js';
import {createCatalog, type Catalog} from '../catalog/catalog.js';
import type {CatalogPlugin} from '../catalog/catalog-plugin.js';
import type {Environment} from '../contract/environment.js';
import type {FormReply, SentForm} from '../contract/form.js';
import type {Manifest, ServiceEntry} from '../contract/manifest.js';
import type {SentNotice} from '../contract/notice.js';
import type {Session} from '../contract/session-handle.js';
import type {ServiceName, Services} from '../contract/registry.js';
import {importFromDisk, type Elsewhere, type ImportFile} from '../hooks/load.js';
import type {Service} from '../contract/service.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

export interface TestKernelOptions {
  /** Folders of built plugins, or manifests with their folder. */
  readonly plugins: readonly (string | CatalogPlugin)[];
  /** Written into the temporary project and home, by relative path. */
  readonly files?: Files;
  readonly homeFiles?: Files;
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Stands for the system's temporary folder; without it, one of its own that is empty. */
  readonly temporary?: string;
  readonly mode?: string;
  /** Services that a host would provide. */
  readonly services?: readonly Service[];
  /** Whether the session is a conversation. */
  readonly live?: boolean;
  /** Whether everything that passes between plugins is serialised on its way; GEMINI_TEST_WALL=1 for every kernel. */
  readonly wall?: boolean;
  /** Gives contributions whose code is not to run in this process. */
  readonly elsewhere?: (catalog: Catalog) => Elsewhere;
  /** The person's answer to a question; without it there is no person. */
  readonly confirm?: 'yes' | 'no';
  /** Answers forms; without it they go unanswered. */
  readonly answer?: (form: SentForm) => FormReply | undefined;
}

/** A really booted kernel with one open session in a temporary project. */
export interface TestKernel {
  readonly project: string;
  readonly home: string;
  readonly kernel: Kernel;
  readonly session: Session;
  /** What was printed for the person. */
  readonly notices: readonly SentNotice[];
  /** Their sentences. */
  readonly warnings: readonly string[];
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  call(tool: string, input: unknown, options?: {readonly signal?: AbortSignal}): Promise<ToolOutcome>;
  /** Disposes everything and removes the temporary folders. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Boots a kernel with the given plugins only. Plugins that the catalog leaves out are in `kernel.catalog.refused`. A
 * module named by GEMINI_TEST_PREPARE may change the options: what runs the tests of a plugin may run them in other
 * circumstances.
 */
export async function createTestKernel(given: TestKernelOptions): Promise<TestKernel> {
  const options = await prepare(given);
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-test-')));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  await Promise.all([write(project, options.files ?? {}), write(home, options.homeFiles ?? {})]);
  const notices: SentNotice[] = [];
  const warnings: string[] = [];
  const print = (notice: SentNotice): void => void (notices.push(notice), warnings.push(notice.sentence));
  const environment = environmentOf(options, root);
  const plugins = await Promise.all(
    options.plugins.map(async (one) => (typeof one === 'string' ? readPlugin(one) : one)),
  );
  const {wall: isWalled = process.env['GEMINI_TEST_WALL'] === '1'} = options;
  const {entries, importFile} = hostOf(options.services ?? []);
  const catalog = createCatalog(plugins, {host: {services: entries}});
  const {answer = () => undefined} = options;
  const border = isWalled ? {border: glassWall} : {};
  const kernel = boot(catalog, environment, {
    importFile,
    print,
    answer: async (form) => answer(form),
    ...border,
    elsewhere: options.elsewhere?.(catalog),
  });
  const session = kernel.open({...(options.mode ? {mode: options.mode} : {}), ...(options.live ? {live: true} : {})});
  await session.announce();
  const {confirm: decision} = options;
  const close = async (): Promise<void> => {
    await kernel.close();
    await rm(root, {recursive: true, force: true});
  };
  return {
    project,
    home,
    kernel,
    session,
    notices,
    warnings,
    close,
    service: (name) => session.service(name),
    call: (tool, input, given = {}) =>
      session.call({tool, input}, {...given, ...(decision ? {confirm: async () => ({decision})} : {})}),
    [Symbol.asyncDispose]: close,
  };
}

async function prepare(given: TestKernelOptions): Promise<TestKernelOptions> {
  const file = process.env['GEMINI_TEST_PREPARE'];
  if (file === undefined) return given;
  const module = (await import(file)) as {prepare(options: TestKernelOptions): Promise<TestKernelOptions>};
  return module.prepare(given);
}

function environmentOf(options: TestKernelOptions, root: string): Environment {
  return {
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    temporary: options.temporary ?? join(root, 'tmp'),
    cacheDir: join(root, 'cache'),
    platform: process.platform,
    variables: options.variables ?? {},
    flags: options.flags ?? {},
    interactive: options.confirm !== undefined,
    newId: randomUUID,
  };
}

/** How a kernel finds services that no plugin provides. */
function hostOf(services: readonly Service[]): {entries: readonly ServiceEntry[]; importFile: ImportFile} {
  const modules = new Map(services.map((service) => [`host:${service.name}`, {default: service}]));
  const entries = services.map(({create: _, describe: __, dispose: ___, ...entry}) => ({
    ...entry,
    module: `host:${entry.name}`,
  }));
  return {entries, importFile: async (file) => modules.get(file) ?? importFromDisk(file)};
}

/** Reads a built plugin's manifest as a catalog does, without its schema check. */
export async function readPlugin(root: string): Promise<CatalogPlugin> {
  return {
    root,
    origin: 'core',
    manifest: JSON.parse(await readFile(join(root, 'gemini.plugin.json'), 'utf8')) as Manifest,
  };
}

async function write(folder: string, files: Files): Promise<void> {
  await mkdir(folder, {recursive: true});
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), {recursive: true});
    await writeFile(join(folder, name), content);
  }
}
