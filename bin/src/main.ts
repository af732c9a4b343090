import {readFileSync} from 'node:fs';
import {homedir, userInfo} from 'node:os';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {KernelError, type ActiveBundle, type Environment} from '@gemini-kernel/kernel';
import {
  brokenPlugin,
  createCatalog,
  createLiveCatalog,
  kernelErrors,
  useValidators,
  type Catalog,
  type LiveCatalog,
} from '@gemini-kernel/kernel/host';
import {placePlugins, readCatalogFile, readOclifEntries, type CatalogFile, type OclifEntry} from './catalog-file.js';
import {askedFormat, writeFailure} from './asked-format.js';
import {createCheckedImport} from './checked-import.js';
import {isInside} from './checked-tree.js';
import {chooseProduct} from './choose-product.js';
import {correctWord} from './correct-word.js';
import {createHost, withLive} from './create-host.js';
import {
  asksForHelp,
  checkKnown,
  findCommand,
  findFlagCommand,
  findSlashCommand,
  isPrompt,
  type Match,
} from './find-command.js';
import {createImport, type Carried} from './import-file.js';
import {createLoadingNotes} from './loading-note.js';
import {createLoadOptions, importCommand, loadStockConfig, lendOclif, oclif, type ConfigParts} from './oclif-config.js';
import {refuseForeignHome} from './foreign-home.js';
import {knownSchemas} from './known-schemas.js';
import {findPlaces, settleVariables, type Places} from './places.js';
import {endFlagsAtScript} from './script-words.js';
import {complain, createEnvironment, warn, type Surroundings} from './process-environment.js';
import {describeError} from './report-error.js';
import {asksForRootHelp, describePromptFlags} from './root-help.js';
import {readUserCatalog, type InstallFault, type UserCatalog} from './user-catalog.js';
import type {CommandHost} from '@gemini-kernel/command';

export interface Program {
  /** Folder of this program. */
  readonly root: string;
  readonly argv: readonly string[];
  /** Lets oclif find everything by itself; for comparing both ways. */
  readonly stock: boolean;
  /** Modules that are in the bundle, by their path below `root`. */
  readonly carried: Carried;
  /** Validators of the schemas that the build knew. */
  readonly validators?: Parameters<typeof useValidators>[0];
}

interface Loaded {
  readonly catalog: LiveCatalog;
  /** The same catalog with some installed plugins at other places, and without some. */
  place(roots: ReadonlyMap<string, string>, without?: ReadonlyMap<string, string>): Catalog;
  readonly core: CatalogFile;
  /** What is installed, with its commands as oclif wants to know them. */
  readonly installed: UserCatalog | undefined;
  readonly bundles: readonly ActiveBundle[];
}

/** Runs one command line to its exit code. */
export async function main(given: Program): Promise<number> {
  const program = {...given, argv: endFlagsAtScript(given.argv, 'chat')};
  const stop = new AbortController();
  // Until the catalog is read, no code of a plugin can have been thrown.
  let exitCodeOf: Catalog['exitCodeOf'] = (code) => kernelErrors[code]?.exit ?? 1;
  try {
    settleVariables(process.env, userInfo);
    refuseForeignHome(process.env['GEMINI_CLI_HOME'] ?? homedir());
    const places = findPlaces({platform: process.platform, user: homedir(), variables: process.env});
    const environment = createEnvironment(places, program.root);
    const loaded = await loadCatalog(program, places, environment);
    ({exitCodeOf} = loaded.catalog);
    if (program.validators)
      useValidators(program.validators, knownSchemas(loaded.core.plugins.flatMap(({manifest}) => manifest.tools)));
    await run(
      program,
      {...environment, bundles: loaded.bundles},
      {loaded, stop, readAnew: () => loadCatalog(program, places, environment)},
    );
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    if (stop.signal.aborted) return reportStop(stop.signal, program.argv, exitCodeOf);
    return report(error, program.argv, exitCodeOf);
  }
}

/** Ends as a shell expects of a program that a signal ended; programs are told, a person knows. */
function reportStop({reason}: AbortSignal, argv: readonly string[], exitCodeOf: Catalog['exitCodeOf']): number {
  const {json, exit} = describeError(reason, exitCodeOf);
  const format = askedFormat(argv);
  if (json && format) process.stdout.write(writeFailure(json, format));
  return exit;
}

async function loadCatalog({root, argv}: Program, places: Places, {installs, home}: Surroundings): Promise<Loaded> {
  const folder = join(root, 'bin', 'dist');
  const core = readCatalogFile(join(folder, 'catalog.json'));
  const installed = await readUserCatalog({
    installs,
    data: places.data,
    cache: places.cache,
    home,
    product: core.product,
    frozen: isFrozen(argv),
    now: new Date(),
  });
  const product = placePlugins(core, folder);
  const own = installed ? chooseProduct(product, installed) : product;
  const place: Loaded['place'] = (roots, without) => {
    const theirs = (installed?.plugins ?? []).map((plugin) => ({
      ...plugin,
      root: roots.get(plugin.manifest.name) ?? plugin.root,
    }));
    const [kept, left] = [
      theirs.filter(({manifest: {name}}) => !without?.has(name)),
      theirs.filter(({manifest: {name}}) => without?.has(name)),
    ];
    const refused = left.map(({root: folder, manifest: {name}}) => ({
      name,
      root: folder,
      reason: without?.get(name) ?? '',
    }));
    return createCatalog([...own, ...kept], {
      refused: [...(installed?.refused ?? []), ...refused],
      hostCommands: core.hostCommands ?? [],
    });
  };
  return {
    catalog: createLiveCatalog(place(new Map())),
    place,
    core,
    installed,
    bundles: [...bundleOf(core, folder), ...(installed?.bundles ?? [])],
  };
}

/** It counts before any plugin is read that could declare it. */
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

interface Start {
  readonly loaded: Loaded;
  readonly stop: AbortController;
  readAnew(): Promise<Loaded>;
}

async function run(
  {root, argv, stock, carried}: Program,
  environment: Omit<Environment, 'flags'>,
  {loaded, stop, readAnew}: Start,
): Promise<void> {
  const {catalog, core} = loaded;
  const broken = loaded.installed?.broken;
  for (const {name, root: at, reason} of catalog.refused)
    if (at !== broken?.root) warn(`The plugin ${name} was left out: ${reason.replace(/\.$/, '')}. (gemini doctor)`);
  let current = loaded;
  const checked = createCheckedImport(root);
  const notes = createLoadingNotes(join(environment.cacheDir, 'loading'), (name) => {
    process.exitCode = report(endedBy(name), argv, catalog.exitCodeOf);
  });
  if (loaded.installed)
    for (const name of notes.takeLost())
      warn(
        `The plugin ${name} was being loaded when gemini was ended the last time. Run gemini doctor ${name}, or ` +
          `gemini plugins uninstall ${name}.`,
      );
  const importFile = createImport(root, carried, async (file, load) => {
    const tree = current.installed?.treeOf(file);
    if (tree) await checked.prepare(tree);
    // Where oclif itself is not bundled, every plugin finds the one copy on disk.
    if (!stock) lendOclif(file);
    const plugin = current.installed?.plugins.find(({root: folder}) => isInside(folder, file));
    return plugin ? notes.during(plugin.manifest.name, load) : load();
  });
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const slash: CommandHost['slash'] = async (given, live) => {
    const match = findSlashCommand(catalog, given);
    if (!match)
      checkKnown(
        given,
        [...catalog.commands.values()].filter((one) => one.slash).map(({id}) => id),
      );
    if (match) await runCommand(match, catalog, {root, pjson, host: withLive(host, live), importFile, entries: []});
  };
  const host = createHost({
    root,
    catalog,
    environment,
    importFile,
    stop,
    slash,
    hostCommands: core.hostCommands ?? [],
    readAnew: async (roots) => (current = await readAnew()).place(roots),
    leaveOut: (reasons) => catalog.replace(loaded.place(new Map(), reasons)),
  });
  const ids = [...catalog.commands.keys(), ...(core.hostCommands ?? [])];
  const typed = argv.length === 0 && core.bundle?.start ? core.bundle.start.split(' ') : [...argv];
  const words = environment.interactive ? await correctWord(typed, ids, host.ask) : typed;
  const found = asksForHelp(words)
    ? undefined
    : (findCommand(catalog, words) ?? findFlagCommand(catalog, words) ?? findPromptCommand(loaded, words));
  const id = found?.command.id ?? words.join(':');
  answerBroken(broken, id);
  const unmet = findUnmet(loaded);
  if (unmet) answerUnmet(unmet, {id, interactive: environment.interactive});
  if (found && !stock) return runCommand(found, catalog, {root, pjson, host, importFile, entries: []});
  const entries = readEntries(root, loaded);
  const line = found ? [...found.command.id.split(':'), ...found.rest] : [...words];
  if (!found && !asksForHelp(words))
    checkKnown(
      words[0] === 'help' && words.length > 1 ? words.slice(1) : words,
      entries.flatMap(({manifest}) => Object.keys(manifest.commands)),
    );
  const parts = {root, pjson, host, importFile, entries};
  const config = stock ? await loadStockConfig(parts) : new oclif.Config(createLoadOptions(parts));
  if (!stock) await config.load();
  await oclif.run(line, config);
  if (asksForRootHelp(words)) process.stdout.write(describePromptFlags(config, core.bundle?.prompt ?? ''));
}

function endedBy(plugin: string): KernelError {
  return new KernelError('PLUGIN_BROKEN', `The plugin ${plugin} ended the program while it was being loaded.`, {
    hint: `Run gemini doctor ${plugin}, or gemini plugins uninstall ${plugin}.`,
  });
}

/** What the administrator asks for and is not so. */
function findUnmet({installed, catalog}: Loaded): string | undefined {
  if (!installed) return undefined;
  if (installed.unreliable)
    return (
      `The administrator's rules cannot be relied on, so only what came with the product may load: ` +
      `${installed.unreliable.replace(/\.$/, '')}.`
    );
  const missing = installed.required.filter((name) => !catalog.plugins.has(name));
  return missing.length > 0
    ? `The administrator requires ${missing.join(' and ')}, which ${missing.length === 1 ? 'is' : 'are'} not there ` +
        'or may not load.'
    : undefined;
}

/** Commands that show or repair what is wrong, and so must run while it is. */
const REPAIRING = /^(plugins|bundle|doctor|help)(:|$)/;

const repairs = (id: string): boolean => REPAIRING.test(id) || id.startsWith('-');

/** Throws KernelError INSTALLS_UNRELIABLE: what is missing may be a guard. */
function answerBroken(fault: InstallFault | undefined, id: string): void {
  if (!fault) return;
  if (repairs(id) || id.split(':')[0] === 'settings') return warn(`${fault.message}\n${fault.hint}`);
  throw new KernelError('INSTALLS_UNRELIABLE', fault.message, {hint: fault.hint});
}

/**
 * At a terminal a person is told and goes on with less; where nobody watches, nothing runs. Throws KernelError
 * MANAGED_UNMET.
 */
function answerUnmet(sentence: string, {id, interactive}: {readonly id: string; readonly interactive: boolean}): void {
  if (interactive || repairs(id)) return warn(sentence);
  throw new KernelError('MANAGED_UNMET', sentence, {
    hint: 'gemini bundle status and gemini plugins list say what is in force, and what is missing.',
  });
}

/** The command that takes prompts, if the line is one. */
function findPromptCommand({catalog, core}: Loaded, words: readonly string[]): Match | undefined {
  const command = catalog.commands.get(core.bundle?.prompt ?? '');
  const ids = [...catalog.commands.keys(), ...(core.hostCommands ?? [])];
  return command && isPrompt(words, ids) ? {command, rest: words} : undefined;
}

function readEntries(root: string, {catalog, installed}: Loaded): readonly OclifEntry[] {
  const theirs = installed?.readCommands().filter(({name}) => catalog.plugins.has(name)) ?? [];
  return [...readOclifEntries(join(root, 'bin', 'dist')), ...theirs];
}

async function runCommand({command, rest}: Match, catalog: Catalog, parts: ConfigParts): Promise<void> {
  const file = catalog.fileOf(command);
  const commandClass = await importCommand(parts.importFile, file, {id: command.id}).catch((cause: unknown) => {
    throw brokenPlugin(command.plugin, file, cause);
  });
  const config = new oclif.Config(createLoadOptions(parts));
  await config.load();
  // `run` of the class would load a second configuration; what it calls in the end is this.
  const instance = new (
    commandClass as unknown as new (argv: string[], config: oclif.Config) => {_run(): Promise<unknown>}
  )([...rest], config);
  await instance._run();
}

function report(error: unknown, argv: readonly string[], exitCodeOf: Catalog['exitCodeOf']): number {
  const {text, json, exit} = describeError(error, exitCodeOf);
  const format = askedFormat(argv);
  if (json && format) process.stdout.write(writeFailure(json, format));
  if (text) complain(`Error: ${text}`);
  if (process.env['DEBUG'] && error instanceof Error) process.stderr.write(`${inspect(error)}\n`);
  return exit;
}
