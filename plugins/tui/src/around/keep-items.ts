import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {ITEMS_SETTING} from './footer-items.js';

/** Keeps the items of the footer in the person's settings; undefined: the usual ones. Says where, and what counts. */
export async function keepItems(settings: Settings, names: readonly string[] | undefined): Promise<string> {
  const {path} = await settings.set(ITEMS_SETTING, names, {scope: 'user'});
  const {layers} = await settings.explain(ITEMS_SETTING);
  const strongest = layers.at(-1);
  const isOver = strongest !== undefined && !['default', 'bundle', 'system-defaults', 'user'].includes(strongest.layer);
  const over = isOver ? ` But ${strongest.source ?? `the ${strongest.layer}`} sets the items too, and wins.` : '';
  return `Kept in ${path}.${over}`;
}
