import {readFileSync} from 'node:fs';
import {isatty} from 'node:tty';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {boot, brokenPlugin, createCatalog, findNearest, type Catalog, type CommandEntry, type ImportFile} from '@gemini-kernel/kernel/host';
import type {CommandHost} from '@gemini-kernel/kernel/oclif';
import {placePlugins, readCatalogFile, readOclifEntries, type CatalogFile} from './catalog-file.js';
import {createImport, type Carried} from './import-file.js';
import {createLoadOptions, identify, lendOclif, oclif, type ConfigParts} from './oclif-config.js';
import {findPlaces, type Places} from './places.js';
import {describeError} from './report-error.js';
import {createEnvironment, warn} from './process-environment.js';
import {runAgain} from './run-again.js';
import {askAtTerminal} from './terminal.js';
import {readUserCatalog} from './user-catalog.js';

/** Names that only this distribution's own packages may have. */
const RESERVED = ['@gemini-kernel/', '@oclif/'];
const HELP = new Set(['--help', '-h']);

export interface Program {
  /** Folder of this program. */
  readonly root: string;
  readonly argv: readonly string[];
  /** Lets oclif find everything by itself; for comparing both ways. */
  readonly stock: boolean;
  /** Modules that are in the bundle, by their path below `root`. */
  readonly carried: Carried;
}

interface Loaded {
  readonly catalog: Catalog;
  readonly core: CatalogFile;
  readonly hasInstalled: boolean;
}

/** Runs one command line to its exit code. */
export async function main(program: Program): Promise<number> {
  const stop = new AbortController();
  // Until the catalog is read, no code of a plugin can have been thrown.
  let exitCodeOf: Catalog['exitCodeOf'] = () => 1;
  try {
    const places = findPlaces(process.env, process.platform);
    const loaded = await loadCatalog(program.root, places);
    ({exitCodeOf} = loaded.catalog);
    await run(program, places, loaded, stop);
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    if (stop.signal.aborted) return 130;
    return report(error, program.argv, exitCodeOf);
  }
}

async function loadCatalog(root: string, places: Places): Promise<Loaded> {
  const folder = join(root, 'bin', 'dist');
  const core = readCatalogFile(join(folder, 'catalog.json'));
  const user = await readUserCatalog({places, product: core.product, root, reserved: RESERVED});
  const catalog = createCatalog([...placePlugins(core, folder), ...(user ? placePlugins(user, places.data) : [])], user?.refused);
  return {catalog, core, hasInstalled: (user?.plugins.length ?? 0) > 0};
}

async function run(program: Program, places: Places, loaded: Loaded, stop: AbortController): Promise<void> {
  const {root, argv, stock} = program;
  const {catalog, core, hasInstalled} = loaded;
  for (const {name, reason} of catalog.refused) warn(`The plugin ${name} was left out: ${reason}. (gemini doctor)`);
  const host = createHost(catalog, program, places, stop);
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const words = argv.length === 0 && core.bundle?.start ? core.bundle.start.split(' ') : argv;
  const parts: Omit<ConfigParts, 'entries'> = {root, pjson, host, importFile: importFor(program)};
  const found = findCommand(catalog, words);
  if (stock) return runStock(words, parts);
  if (found && !asksForHelp(words)) return runCommand(found, parts, catalog);
  const entries = readOclifEntries(join(root, 'bin', 'dist'));
  const all = hasInstalled ? [...entries, ...readOclifEntries(places.data).filter(({name}) => catalog.plugins.has(name))] : entries;
  if (!asksForHelp(words) && !isKnown(words, all.flatMap(({manifest}) => Object.keys(manifest.commands)))) throw unknownCommand(words, all.flatMap(({manifest}) => Object.keys(manifest.commands)));
  await oclif.run([...words], createLoadOptions({...parts, entries: all}));
}

interface Match {
  readonly command: CommandEntry & {readonly plugin: string};
  readonly rest: readonly string[];
}

/** The command whose words are the longest start of the line. */
function findCommand(catalog: Catalog, argv: readonly string[]): Match | undefined {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  for (let count = flag < 0 ? argv.length : flag; count > 0; count -= 1) {
    const command = catalog.commands.get(argv.slice(0, count).join(':'));
    if (command) return {command, rest: argv.slice(count)};
  }
  return undefined;
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.length === 0 || argv.slice(0, end < 0 ? undefined : end).some((word) => HELP.has(word));
}

/** Whether the words that start the line are a topic, or start with a command, of `ids`. */
function isKnown(argv: readonly string[], ids: readonly string[]): boolean {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  const words = argv.slice(0, flag < 0 ? undefined : flag);
  return ids.some((id) => id.startsWith(`${words.join(':')}:`) || words.some((_, index) => words.slice(0, index + 1).join(':') === id));
}

function unknownCommand(argv: readonly string[], ids: readonly string[]): KernelError {
  const [first = '', second = ''] = argv;
  const names = ids.map((id) => id.replaceAll(':', ' '));
  const near = [...new Set([...findNearest(`${first} ${second}`.trim(), names), ...findNearest(first, names)])].slice(0, 3);
  const hint = near.length > 0 ? `Did you mean ${near.map((name) => `gemini ${name}`).join(', ')}?` : 'Run gemini --help to see every command.';
  return new KernelError('COMMAND_UNKNOWN', `There is no command "${argv.join(' ')}", and no installed plugin answers prompts.`, {hint});
}

async function runCommand({command, rest}: Match, parts: Omit<ConfigParts, 'entries'>, catalog: Catalog): Promise<void> {
  const file = catalog.fileOf(command);
  const module = await parts.importFile(file).catch((cause: unknown) => {
    throw brokenPlugin(command.plugin, file, cause);
  });
  const commandClass = identify(module, {id: command.id});
  const config = new oclif.Config(createLoadOptions({...parts, entries: []}));
  await config.load();
  // `run` of the class would load a second configuration; what it calls in the end is this.
  const instance = new (commandClass as unknown as new (argv: string[], config: oclif.Config) => {_run(): Promise<unknown>})([...rest], config);
  await instance._run();
}

async function runStock(argv: readonly string[], {root, pjson, host}: Omit<ConfigParts, 'entries'>): Promise<void> {
  await oclif.run([...argv], {root, pjson, gemini: host} as unknown as oclif.Interfaces.Options);
}

function importFor({root, carried, stock}: Program): ImportFile {
  // Where oclif itself is not bundled, every plugin finds the one copy on disk.
  return createImport(root, carried, stock ? () => undefined : lendOclif);
}

function createHost(catalog: Catalog, program: Program, places: Places, stop: AbortController): CommandHost {
  const environment = createEnvironment(places);
  return {
    catalog,
    boot: (flags) => boot(catalog, {...environment, flags}, importFor(program)),
    ask: (question) => askAtTerminal(question, stop.signal),
    get input() {
      return process.stdin;
    },
    colour: isatty(1) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    node: process.versions.node,
    run: (argv, options) => runAgain(program.root, argv, options),
    end: (code) => {
      process.exitCode = code;
    },
    get signal() {
      process.once('SIGINT', () => stop.abort(new Error('Interrupted.')));
      return stop.signal;
    },
  };
}

function report(error: unknown, argv: readonly string[], exitCodeOf: Catalog['exitCodeOf']): number {
  const {text, json, exit} = describeError(error, exitCodeOf);
  if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  if (exit !== 0) process.stderr.write(`Error: ${text}\n`);
  if (process.env['DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n${error.cause instanceof Error ? `caused by ${error.cause.stack ?? ''}\n` : ''}`);
  return exit;
}
