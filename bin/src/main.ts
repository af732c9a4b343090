import {readFileSync} from 'node:fs';
import {homedir, userInfo} from 'node:os';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {brokenPlugin, createCatalog, useValidators, type Catalog} from '@gemini-kernel/kernel/host';
import {placePlugins, readCatalogFile, readOclifEntries, type CatalogFile, type OclifEntry} from './catalog-file.js';
import {createHost, Interrupted, withLive} from './create-host.js';
import {asksForHelp, checkKnown, findCommand, findFlagCommand, findSlashCommand, isPrompt, type Match} from './find-command.js';
import {createImport, type Carried} from './import-file.js';
import {createLoadOptions, importCommand, loadStockConfig, lendOclif, oclif, type ConfigParts} from './oclif-config.js';
import {knownSchemas} from './known-schemas.js';
import {nameLocalPackages} from './local-packages.js';
import {findPlaces, settleVariables, type Places} from './places.js';
import {complain, warn} from './process-environment.js';
import {describeError} from './report-error.js';
import {readUserCatalog, type UserCatalog} from './user-catalog.js';
import type {CommandHost} from '@gemini-kernel/kernel/oclif';

/** Names that only this distribution's own packages may have. */
const RESERVED = ['@gemini-kernel/', '@oclif/'];

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
  readonly catalog: Catalog;
  readonly core: CatalogFile;
  /** The commands of installed plugins, as oclif wants to know them. */
  readonly installed: UserCatalog | undefined;
}

/** Runs one command line to its exit code. */
export async function main(program: Program): Promise<number> {
  const stop = new AbortController();
  // Until the catalog is read, no code of a plugin can have been thrown.
  let exitCodeOf: Catalog['exitCodeOf'] = () => 1;
  try {
    settleVariables(process.env, userInfo);
    const places = findPlaces({platform: process.platform, user: homedir(), variables: process.env});
    const loaded = await loadCatalog(program.root, places);
    ({exitCodeOf} = loaded.catalog);
    if (program.validators) useValidators(program.validators, knownSchemas(loaded.core.plugins.flatMap(({manifest}) => manifest.tools)));
    await run(program, places, loaded, stop);
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    if (stop.signal.aborted) return exitOf(stop.signal);
    return report(error, program.argv, exitCodeOf);
  }
}

/** What a shell expects of a program that a signal ended. */
function exitOf({reason}: AbortSignal): number {
  return reason instanceof Interrupted ? reason.exit : 130;
}

async function loadCatalog(root: string, places: Places): Promise<Loaded> {
  const folder = join(root, 'bin', 'dist');
  const core = readCatalogFile(join(folder, 'catalog.json'));
  const installed = await readUserCatalog({places, product: core.product, root, reserved: RESERVED});
  const user = installed?.catalog;
  const catalog = createCatalog([...placePlugins(core, folder), ...(user ? placePlugins(user, places.data) : [])], {refused: user?.refused ?? [], hostCommands: core.hostCommands ?? []});
  return {catalog, core, installed};
}

async function run({root, argv, stock, carried}: Program, places: Places, loaded: Loaded, stop: AbortController): Promise<void> {
  const {catalog, core} = loaded;
  for (const {name, reason} of catalog.refused) warn(`The plugin ${name} was left out: ${reason.replace(/\.$/, '')}. (gemini doctor)`);
  // Where oclif itself is not bundled, every plugin finds the one copy on disk.
  const importFile = createImport(root, carried, stock ? () => undefined : lendOclif);
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const slash: CommandHost['slash'] = async (given, live) => {
    const match = findSlashCommand(catalog, given);
    if (!match) checkKnown(given, [...catalog.commands.values()].filter((one) => one.slash).map(({id}) => id));
    if (match) await runCommand(match, catalog, {root, pjson, host: withLive(host, live), importFile, entries: []});
  };
  const host = createHost({root, catalog, places, importFile, stop, slash});
  const words = argv.length === 0 && core.bundle?.start ? core.bundle.start.split(' ') : nameLocalPackages(argv, process.cwd());
  const found = asksForHelp(words) ? undefined : (findCommand(catalog, words) ?? findFlagCommand(catalog, words) ?? findPromptCommand(loaded, words));
  if (found && !stock) return runCommand(found, catalog, {root, pjson, host, importFile, entries: []});
  const entries = readEntries(root, loaded);
  const line = found ? [...found.command.id.split(':'), ...found.rest] : [...words];
  if (!found && !asksForHelp(words)) checkKnown(words[0] === 'help' && words.length > 1 ? words.slice(1) : words, entries.flatMap(({manifest}) => Object.keys(manifest.commands)));
  const parts = {root, pjson, host, importFile, entries};
  await oclif.run(line, stock ? await loadStockConfig(parts) : createLoadOptions(parts));
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
  const instance = new (commandClass as unknown as new (argv: string[], config: oclif.Config) => {_run(): Promise<unknown>})([...rest], config);
  await instance._run();
}

function report(error: unknown, argv: readonly string[], exitCodeOf: Catalog['exitCodeOf']): number {
  const {text, json, exit} = describeError(error, exitCodeOf);
  if (json && argv.includes('--json')) process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  if (text) complain(`Error: ${text}`);
  if (process.env['DEBUG'] && error instanceof Error) process.stderr.write(`${inspect(error)}\n`);
  return exit;
}
