import type {Catalog} from '@gemini-kernel/kernel/host';
import {checkKnown, findSlashCommand} from './find-command.js';
import {runCommand, type RunParts} from './run-command.js';

/** Runs the command that words typed after a slash mean. Throws as the command does, or COMMAND_UNKNOWN. */
export async function runSlashCommand(words: readonly string[], catalog: Catalog, parts: RunParts): Promise<void> {
  const match = findSlashCommand(catalog, words);
  if (match) return runCommand(match, catalog, parts);
  const marked = [...catalog.commands.values()].filter(({slash}) => slash);
  checkKnown(
    words,
    marked.map(({id}) => id),
  );
}
