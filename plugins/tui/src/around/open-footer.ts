import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Graphemes, Paint} from '@gemini-kernel/terminal';
import {findFacts, type Costly} from './find-facts.js';
import {FooterCommand} from './footer-command.js';
import {Footer, readItems} from './footer.js';

interface FooterParts {
  readonly seat: Seat;
  readonly context: ServiceContext;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  now(): number;
  onChange(): void;
}

/** Prepares the footer that the settings ask for. */
export async function openFooter(parts: FooterParts): Promise<Footer> {
  const {seat, context, paint, graphemes, onChange} = parts;
  const items = readItems(await (await context.service('settings')).get('ui.footer.items'));
  const costly = await findCostly(items, parts, () => void footer.refresh());
  const footer = new Footer({
    ...{paint, graphemes, items, onChange},
    find: async () => findFacts(seat, context.environment, costly),
  });
  return footer;
}

/** How to find out what costs something. A project names no command. */
async function findCostly(
  items: readonly string[],
  {seat, context, now}: FooterParts,
  again: () => void,
): Promise<Costly> {
  const named = await (await context.service('settings')).getApart('ui.footer.command');
  const command = typeof named === 'string' && items.includes('command-output') ? named.trim() : '';
  const printed = command === '' ? undefined : new FooterCommand({seat, command, now, again});
  const hasSandbox = items.includes('sandbox') && context.names('sandbox').length > 0;
  return {
    sandbox: hasSandbox ? async () => (await seat.service('sandbox')).state() : undefined,
    'command-output': printed && (() => printed.read()),
  };
}
