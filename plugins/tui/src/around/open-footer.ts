import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Graphemes, Paint} from '@gemini-kernel/terminal';
import {findFacts, type Costly} from './find-facts.js';
import {FooterCommand} from './footer-command.js';
import {ITEMS_SETTING, readItems} from './footer-items.js';
import {Footer} from './footer.js';

interface FooterParts {
  readonly seat: Seat;
  readonly context: ServiceContext;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  now(): number;
  onChange(): void;
}

/** Prepares the footer that the settings ask for; a change of them counts when it is found again. */
export async function openFooter(parts: FooterParts): Promise<Footer> {
  const {seat, context, paint, graphemes, onChange} = parts;
  const settings = await context.service('settings');
  const findCostly = costlyOf(parts, () => void footer.refresh());
  const subject = {
    service: seat.service,
    session: async () => (await seat.conversations.state(seat.conversation)).session,
  };
  const footer: Footer = new Footer({
    ...{paint, graphemes, onChange},
    find: async () => {
      const [named, isHidden, command] = await Promise.all([
        settings.get(ITEMS_SETTING),
        settings.get('ui.hideFooter'),
        // A project names no command.
        settings.getApart('ui.footer.command'),
      ]);
      const items = readItems(named);
      const facts = await findFacts(subject, context.environment, findCostly(items, command));
      return {facts, items, isHidden: isHidden === true};
    },
  });
  return footer;
}

/** How to find out what costs something, by the items and the command of the settings. */
function costlyOf(
  {seat, context, now}: FooterParts,
  again: () => void,
): (items: readonly string[], named: unknown) => Costly {
  let last: {readonly command: string; readonly printed: FooterCommand} | undefined;
  return (items, named) => {
    const command = typeof named === 'string' && items.includes('command-output') ? named.trim() : '';
    if (command === '') last = undefined;
    else if (command !== last?.command) last = {command, printed: new FooterCommand({seat, command, now, again})};
    const printed = last?.printed;
    const hasSandbox = items.includes('sandbox') && context.names('sandbox').length > 0;
    return {
      sandbox: hasSandbox ? async () => (await seat.service('sandbox')).state() : undefined,
      'command-output': printed && (() => printed.read()),
    };
  };
}
