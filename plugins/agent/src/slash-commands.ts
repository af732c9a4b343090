import type {Catalog} from '@gemini-kernel/kernel/host';
import type {SlashCommand} from './contract.js';

/** The commands of a catalog that can be typed in a conversation, aliases included. */
export function listSlashCommands({commands}: Catalog): readonly SlashCommand[] {
  const typed = [...commands].filter(([id, {slash}]) => slash && !id.startsWith('--'));
  return typed.map(([name, {id, summary}]) => ({
    words: name.replace(/^\//, '').split(':'),
    summary,
    ...(name === id ? {} : {aliasOf: id.split(':')}),
  }));
}
