import {join} from 'node:path';
import {readOclifEntries, type OclifEntry} from './catalog-file.js';
import {asksForHelp, checkKnown} from './find-command.js';
import type {Request} from './find-request.js';
import {createLoadOptions, loadStockConfig, oclif} from './oclif-config.js';
import {asksForRootHelp, describePromptFlags} from './root-help.js';
import type {RunParts} from './run-command.js';
import type {Start} from './start.js';

/** Has oclif run the line over the same catalog: help, its own commands, and all of them in a stock start. */
export async function runByOclif({words, match}: Request, start: Start, parts: RunParts): Promise<void> {
  const {stock, root} = start.program;
  const entries = readEntries(root, start);
  const line = match ? [...match.command.id.split(':'), ...match.rest] : [...words];
  if (!match && !asksForHelp(words))
    checkKnown(
      words[0] === 'help' && words.length > 1 ? words.slice(1) : words,
      entries.flatMap(({manifest}) => Object.keys(manifest.commands)),
    );
  const all = {...parts, entries};
  const config = stock ? await loadStockConfig(all) : new oclif.Config(createLoadOptions(all));
  if (!stock) await config.load();
  await oclif.run(line, config);
  if (asksForRootHelp(words)) {
    process.stdout.write(describePromptFlags(config, start.installed.core.bundle?.prompt ?? ''));
  }
}

function readEntries(root: string, {catalog, installed}: Start): readonly OclifEntry[] {
  const theirs = installed.user?.readCommands().filter(({name}) => catalog.plugins.has(name)) ?? [];
  return [...readOclifEntries(join(root, 'bin', 'dist')), ...theirs];
}
