import {brokenPlugin, type Catalog} from '@gemini-kernel/kernel/host';
import {printsInto} from './prints-into.js';
import type {Match} from './find-command.js';
import {hostHints} from './host-hints.js';
import {findIsolated} from './isolated-command.js';
import {createLoadOptions, importCommand, oclif, type ConfigParts} from './oclif-config.js';

/** What a command runs with; it needs no entries of other commands. */
export type RunParts = Omit<ConfigParts, 'entries'> & {
  /** What gets everything that the command prints; else the streams of this process do. */
  readonly into?: NodeJS.WritableStream | undefined;
};

type Runnable = new (
  argv: string[],
  config: oclif.Config,
) => Pick<oclif.Command, 'jsonEnabled'> & {
  _run(): Promise<unknown>;
};

/** Runs a command without loading any other. Throws as the command does; KernelError when its file does not load. */
export async function runCommand({command, rest}: Match, catalog: Catalog, parts: RunParts): Promise<void> {
  const file = catalog.fileOf(command);
  const isolated = await findIsolated(command, parts.host);
  const importing = isolated ?? importCommand(parts.importFile, file, {id: command.id});
  const commandClass = await Promise.resolve(importing).catch((cause: unknown) => {
    throw brokenPlugin({plugin: command.plugin, file, cause, hints: hostHints});
  });
  const config = new oclif.Config(createLoadOptions({...parts, entries: []}));
  await config.load();
  // `run` of the class would load a second configuration; what it calls in the end is this.
  const instance = new (commandClass as unknown as Runnable)([...rest], config);
  if (parts.into) Object.assign(instance, printsInto(instance, parts.into));
  await instance._run();
}
