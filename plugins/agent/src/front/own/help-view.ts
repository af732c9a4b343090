import {keyHelp, type KeyBindings} from '@gemini-kernel/terminal';
import type {SlashCommand, View, ViewDescription, ViewItem, ViewOutcome, ViewQuery, ViewText} from '../../contract.js';

interface HelpParts {
  readonly keys: KeyBindings;
  commands(): Promise<readonly SlashCommand[]>;
  /** Puts a text into the prompt. */
  insert(text: string): void;
}

interface Entry extends ViewItem {
  readonly about: string;
  /** What Enter puts into the prompt. */
  readonly typed?: string;
}

const DESCRIPTION: ViewDescription = {
  title: 'Help',
  empty: '',
  search: 'labels',
  sorts: [],
  actions: [{name: 'insert', key: 'i', label: 'put it into the prompt'}],
};

/** What people want to do, and how. */
const TASKS: readonly (readonly [task: string, how: string, typed?: string])[] = [
  ['Run a line of the shell', 'Type ! and the line. The model sees its output with the next prompt.', '!'],
  ['Give a file to the model', 'Type @ and a part of its name; Tab inserts it.', '@'],
  ['Go back to before a prompt', '/rewind shows what would be undone, in the conversation and in files.', '/rewind'],
  ['Continue an earlier conversation', '/resume searches in all sessions of this folder.', '/resume'],
  ['Start a new conversation', '/clear keeps the one before in /resume.', '/clear'],
  ['See what a tool has printed', '/output lists all calls; Ctrl+O prints the last shortened one.', '/output'],
  ['Change a setting', '/settings shows each value, and why it holds.', '/settings'],
  ['Start a prompt with a slash', 'Type two: // is one slash at the start of a prompt.', '//'],
];

/** Tasks, commands and keys, to search. */
export class HelpView implements View {
  constructor(private readonly parts: HelpParts) {}

  async describe(): Promise<ViewDescription> {
    return DESCRIPTION;
  }

  async list({isReversed}: ViewQuery): Promise<readonly ViewItem[]> {
    const items = (await this.#entries()).map(({about: _, typed: __, ...item}) => item);
    return isReversed ? items.reverse() : items;
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const entry = (await this.#entries()).find((one) => one.id === id);
    return entry ? [{kind: 'text', title: entry.label, text: entry.about}] : [];
  }

  async act(_: string, id: string): Promise<ViewOutcome> {
    const typed = (await this.#entries()).find((one) => one.id === id)?.typed;
    if (typed === undefined) return {kind: 'stay', sentence: 'A key is pressed, not typed.'};
    this.parts.insert(typed);
    return {kind: 'leave'};
  }

  async #entries(): Promise<readonly Entry[]> {
    const commands = await this.parts.commands();
    const names = new Set(commands.map(({words}) => words[0] ?? ''));
    const tasks = TASKS.filter(([, , typed = '']) => !/^\/\w/.test(typed) || names.has(typed.slice(1))).map(
      ([label, about, typed], index): Entry => ({
        ...{id: `task ${index}`, label, about},
        ...(typed === undefined ? {} : {details: typed, typed}),
      }),
    );
    const own = commands.filter(({words}) => !words[0]?.startsWith('-'));
    return [
      ...tasks,
      ...own.map((command) => commandEntry(command)).sort((a, b) => (a.label < b.label ? -1 : 1)),
      ...keyHelp(this.parts.keys).map(([key, says]): Entry => ({
        id: `key ${key}`,
        label: key,
        details: says,
        about: says,
      })),
    ];
  }
}

function commandEntry({words, summary, argumentHint, owner, aliasOf}: SlashCommand): Entry {
  const label = `/${words.join(' ')}`;
  const about = [
    summary,
    ...(argumentHint === undefined ? [] : [`Arguments: ${argumentHint}`]),
    ...(aliasOf ? [`Short for /${aliasOf.join(' ')}.`] : []),
    ...(owner === undefined ? [] : [`From ${owner}.`]),
    `In a shell: gemini ${(aliasOf ?? words).join(' ')} --help`,
  ];
  return {id: label, label, details: summary, about: about.join('\n'), typed: `${label} `};
}
