import {isKernelError, provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {Explanation, LayerValue, Settings} from '@gemini-kernel/plugin-settings/contract';
import type {View, ViewDescription, ViewItem, ViewOutcome, ViewQuery, ViewText} from '../contract.js';

/** Every setting: its value, why it holds, and where to change it. */
export default provide('view:settings', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: (context) => new SettingsView(context),
});

const INPUT = {label: 'New value (JSON or text):', isItem: true};
const DESCRIPTION: ViewDescription = {
  title: 'Settings',
  empty: 'There are no settings.',
  search: 'contents',
  sorts: ['what is set', 'name'],
  actions: [
    {name: 'user', key: 'u', label: 'set for you', input: INPUT},
    {name: 'project', key: 'p', label: 'set for this project', input: INPUT},
    {name: 'unset', key: 'x', label: 'unset for you', confirm: 'Remove this setting from your file?'},
  ],
};
const MOST_SHOWN = 60;

class SettingsView implements View {
  constructor(private readonly context: Pick<ServiceContext, 'service'>) {}

  async describe(): Promise<ViewDescription> {
    return DESCRIPTION;
  }

  async list({text, sort, isReversed}: ViewQuery): Promise<readonly ViewItem[]> {
    const words = text.toLowerCase().split(/\s+/);
    const all = await (await this.#settings()).list({all: true});
    const found = all.filter(({key, description = '', category = ''}) => {
      const about = `${key}\n${description}\n${category}`.toLowerCase();
      return words.every((word) => about.includes(word));
    });
    const rank = (one: Explanation): number => (sort !== 'name' && isSet(one) ? 0 : 1);
    const sorted = found.sort((a, b) => rank(a) - rank(b) || (a.key < b.key ? -1 : 1));
    const items = sorted.map((one) => {
      const details = isSet(one) ? `${shortValue(one.value)}, ${one.winner ?? ''}` : shortValue(one.value);
      return {id: one.key, label: one.key, details, text: one.secret ? '' : valueText(one.value)};
    });
    return isReversed ? items.reverse() : items;
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const {key, value, layers, winner, merge, description, type, plugin, category} = await (
      await this.#settings()
    ).explain(id);
    const facts = [
      ...(description === undefined ? [] : [description, '']),
      `Value: ${valueText(value) || 'none'}`,
      ...(type === undefined ? [] : [`Type: ${type}`]),
      ...(category === undefined ? [] : [`Category: ${category}`]),
      ...(plugin === undefined ? [] : [`Declared by: ${plugin}`]),
      ...(merge === 'replace' ? [] : [`Values of several places are joined (${merge}).`]),
    ];
    const why = layers.map((one) => layerLine(one, one.layer === winner));
    return [
      {kind: 'text', title: key, text: facts.join('\n')},
      {kind: 'text', title: 'Why: from the weakest to the strongest', text: why.join('\n') || 'Nothing sets it.'},
    ];
  }

  async act(action: string, id: string, text = ''): Promise<ViewOutcome> {
    const settings = await this.#settings();
    const scope = action === 'project' ? 'project' : 'user';
    const path = action === 'unset' ? await unset(settings, id) : await write(settings, id, text, scope);
    const {value, winner} = await settings.explain(id);
    const holds = winner === undefined ? 'It has no value now.' : `It is ${shortValue(value)} now, by ${winner}.`;
    return {kind: 'stay', sentence: `Wrote ${path}. ${holds} Some settings count from the next start.`};
  }

  #settings(): Promise<Settings> {
    return this.context.service('settings');
  }
}

async function unset(settings: Settings, key: string): Promise<string> {
  return (await settings.set(key, undefined, {scope: 'user'})).path;
}

/** JSON if that fits the setting, and otherwise text. Throws the error of the settings. */
async function write(settings: Settings, key: string, text: string, scope: 'user' | 'project'): Promise<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return (await settings.set(key, text, {scope})).path;
  }
  try {
    return (await settings.set(key, value, {scope})).path;
  } catch (error) {
    if (!isKernelError(error) || error.code !== 'SETTING_MISFIT' || typeof value === 'string') throw error;
    return (await settings.set(key, text, {scope})).path;
  }
}

function isSet({winner}: Explanation): boolean {
  return winner !== undefined && winner !== 'default';
}

function valueText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shortValue(value: unknown): string {
  const text = valueText(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function layerLine({layer, source, value, managed}: LayerValue, isWinner: boolean): string {
  const place = source === undefined ? layer : `${layer} (${source})`;
  return `${isWinner ? '→' : ' '} ${place}: ${valueText(value)}${managed ? ', by the administrator' : ''}`;
}
