/** What the footer can show, by the names that the setting `ui.footer.items` uses. */
export interface FooterFacts {
  readonly workspace: string;
  readonly 'git-branch'?: string;
  readonly 'model-name'?: string;
  readonly 'context-used'?: string;
  readonly 'token-count'?: string;
  /** What the conversation has cost, for models with a price. */
  readonly cost?: string;
  readonly 'code-changes'?: string;
  readonly 'session-id'?: string;
  /** What confines commands. */
  readonly sandbox?: string;
  readonly 'memory-usage'?: string;
  readonly hostname?: string;
  /** The first line of the command of the setting `ui.footer.command`. */
  readonly 'command-output'?: string;
}

export type FooterItem = keyof FooterFacts;

/** The setting that names the items, in order. */
export const ITEMS_SETTING = 'ui.footer.items';

/** All items that a setting can name, with what they show. */
export const FOOTER_ITEMS: Readonly<Record<FooterItem, string>> = {
  workspace: 'the folder',
  'git-branch': 'the branch, or the start of the commit',
  'model-name': 'the model',
  'context-used': "how much of the model's context is used",
  'token-count': 'tokens of this conversation',
  cost: 'what it has cost, for models in model.prices',
  'code-changes': 'lines added and removed',
  'session-id': 'the start of the id of the session',
  sandbox: 'what confines commands',
  'memory-usage': 'the memory of gemini',
  hostname: 'the name of this machine',
  'command-output': 'the first line of what ui.footer.command prints',
};

/** The items without a setting. */
export const USUAL_ITEMS: readonly FooterItem[] = ['workspace', 'git-branch', 'model-name', 'context-used'];

export function isFooterItem(name: string): name is FooterItem {
  return Object.hasOwn(FOOTER_ITEMS, name);
}

/** The names in a setting, each once, also those that are unknown here: another program may know them. */
export function namedItems(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return USUAL_ITEMS;
  return [...new Set(value.filter((name) => typeof name === 'string'))];
}

/** The items that a setting names, without those that are unknown here. */
export function readItems(value: unknown): readonly FooterItem[] {
  return namedItems(value).filter(isFooterItem);
}

/** The names with one more at the end, or without it. */
export function toggleItem(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
}

/** The names with one of them moved by a place; the same if it cannot be moved. */
export function moveItem(names: readonly string[], name: string, by: -1 | 1): readonly string[] {
  const at = names.indexOf(name);
  const other = names[at + by];
  if (at < 0 || other === undefined) return names;
  return names.map((one, index) => (index === at ? other : index === at + by ? name : one));
}
