import {Args, Flags} from '@oclif/core';
import {findNearest, KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {FOOTER_ITEMS, isFooterItem, ITEMS_SETTING, namedItems} from '../../around/footer-items.js';
import {keepItems} from '../../around/keep-items.js';

interface FooterItems {
  /** What the footer shows, in order. */
  readonly items: readonly string[];
  readonly hidden: readonly string[];
}

/** Chooses and orders what the footer shows. */
export default class SettingsFooter extends KernelCommand {
  static override summary = 'Choose and order what the footer shows.';
  static override description =
    'Without items, it lists what is shown and what else there is; in a conversation, /footer opens a view with a ' +
    'preview. The items are kept in your settings, as ui.footer.items.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> workspace model-name cost',
    '<%= config.bin %> <%= command.id %> --usual',
  ];
  static override args = {
    items: Args.string({description: 'Items, from left to right.', multiple: true, ignoreStdin: true}),
  };
  static override flags = {
    usual: Flags.boolean({description: 'Show the usual items again.', default: false}),
  };
  static override aliases = ['/footer', '/statusline'];
  static override slash = true;

  async run(): Promise<FooterItems> {
    const {args, flags} = await this.parse(SettingsFooter);
    // oclif types what can be given several times as one.
    const asked: readonly string[] = [args.items ?? []].flat();
    if (asked.length > 0 && flags.usual)
      throw new KernelError('FOOTER_UNCLEAR', 'Items and --usual cannot be combined.', {hint: 'Give one of them.'});
    const settings = await this.service('settings');
    const wanted = flags.usual ? undefined : asked.flatMap((word) => word.split(',')).filter((word) => word !== '');
    const said = flags.usual || asked.length > 0 ? await keepItems(settings, wanted && checkItems(wanted)) : undefined;
    const items = namedItems(await settings.get(ITEMS_SETTING));
    const hidden = Object.keys(FOOTER_ITEMS).filter((name) => !items.includes(name));
    for (const [index, name] of items.entries()) this.log(`${String(index + 1).padStart(2)} ${describe(name)}`);
    for (const name of hidden) this.log(this.style('dim', ` - ${describe(name)}`));
    if (said !== undefined) this.log(said);
    return {items, hidden};
  }
}

function describe(name: string): string {
  return `${name.padEnd(15)} ${isFooterItem(name) ? FOOTER_ITEMS[name] : 'not known here'}`;
}

/** The items, each once. Throws KernelError FOOTER_UNKNOWN. */
function checkItems(names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (isFooterItem(name)) continue;
    const [near] = findNearest(name, Object.keys(FOOTER_ITEMS));
    throw new KernelError('FOOTER_UNKNOWN', `The footer has no item ${JSON.stringify(name)}.`, {
      hint: near ? `Did you mean ${near}?` : `Items: ${Object.keys(FOOTER_ITEMS).join(', ')}.`,
    });
  }
  return [...new Set(names)];
}
