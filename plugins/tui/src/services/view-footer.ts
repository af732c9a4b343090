import {provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {View, ViewDescription, ViewItem, ViewOutcome, ViewText} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-sandbox/contract';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {findFacts} from '../around/find-facts.js';
import {
  FOOTER_ITEMS,
  isFooterItem,
  ITEMS_SETTING,
  moveItem,
  namedItems,
  readItems,
  toggleItem,
} from '../around/footer-items.js';
import {footerText, type FooterState} from '../around/footer.js';
import {keepItems} from '../around/keep-items.js';

/** What the footer shows, and in which order. */
export default provide('view:footer', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: (context) => new FooterView(context),
});

const COMMAND = 'ui.footer.command';
const DESCRIPTION: ViewDescription = {
  title: 'What the footer shows, from left to right',
  empty: 'There are no items.',
  search: 'labels',
  sorts: [],
  actions: [
    {name: 'toggle', key: 't', label: 'show or hide'},
    {name: 'left', key: 'h', label: 'move to the left'},
    {name: 'right', key: 'l', label: 'move to the right'},
    {name: 'usual', key: 'x', label: 'the usual items', confirm: 'Show the usual items again, in their order?'},
  ],
};

class FooterView implements View {
  constructor(private readonly context: ServiceContext) {}

  async describe(): Promise<ViewDescription> {
    return DESCRIPTION;
  }

  /** What is shown comes first, in its order. */
  async list(): Promise<readonly ViewItem[]> {
    const shown = await this.#names();
    const hidden = Object.keys(FOOTER_ITEMS).filter((name) => !shown.includes(name));
    return [...shown, ...hidden].map((name) => {
      const about = isFooterItem(name) ? FOOTER_ITEMS[name] : 'not known here';
      return {id: name, label: `${name}: ${about}`, details: shown.includes(name) ? 'shown' : 'hidden'};
    });
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const [state, command, {source}] = await Promise.all([this.#state(), this.#command(), this.#winner()]);
    const isCommand = id === 'command-output';
    const now = isFooterItem(id) ? state.facts[id] : undefined;
    const notes = [
      ...(isCommand && command === '' ? [`Set ${COMMAND} to a command first.`] : []),
      ...(isCommand && command !== '' ? [`The command: ${command}`] : []),
      ...(isCommand ? [] : [now === undefined || now === '' ? 'It has nothing to show now.' : `Now: ${now}`]),
      `${ITEMS_SETTING} is ${source === undefined ? 'not set' : `set in ${source}`}.`,
    ];
    const row = state.isHidden ? 'Hidden by ui.hideFooter.' : footerText(state);
    return [
      {kind: 'text', title: 'The footer', text: row},
      {kind: 'text', title: id, text: notes.join('\n')},
    ];
  }

  async act(action: string, id: string): Promise<ViewOutcome> {
    const settings = await this.context.service('settings');
    if (action === 'usual') return {kind: 'stay', sentence: await keepItems(settings, undefined)};
    const names = await this.#names();
    if (action === 'toggle') return {kind: 'stay', sentence: await keepItems(settings, toggleItem(names, id))};
    const moved = moveItem(names, id, action === 'left' ? -1 : 1);
    if (moved !== names) return {kind: 'stay', sentence: await keepItems(settings, moved)};
    return {kind: 'stay', sentence: names.includes(id) ? `${id} is at the end already.` : `${id} is hidden.`};
  }

  async #names(): Promise<readonly string[]> {
    return namedItems(await (await this.context.service('settings')).get(ITEMS_SETTING));
  }

  /** The command runs only in the footer itself: here its place is marked. */
  async #state(): Promise<FooterState> {
    const {service, session, environment, names} = this.context;
    const settings = await service('settings');
    const hasSandbox = names('sandbox').length > 0;
    const [named, isHidden, command] = await Promise.all([
      settings.get(ITEMS_SETTING),
      settings.get('ui.hideFooter'),
      this.#command(),
    ]);
    const facts = await findFacts({service, session: () => Promise.resolve(session.id)}, environment, {
      sandbox: hasSandbox ? async () => (await service('sandbox')).state() : undefined,
      'command-output': command === '' ? undefined : () => Promise.resolve(`[${command}]`),
    });
    return {facts, items: readItems(named), isHidden: isHidden === true};
  }

  async #command(): Promise<string> {
    const command = await (await this.context.service('settings')).getApart(COMMAND);
    return typeof command === 'string' ? command.trim() : '';
  }

  async #winner(): Promise<{readonly source?: string}> {
    const settings: Settings = await this.context.service('settings');
    return (await settings.explain(ITEMS_SETTING)).layers.at(-1) ?? {};
  }
}
