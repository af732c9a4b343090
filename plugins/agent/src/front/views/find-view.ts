import type {ServiceName} from '@gemini-kernel/kernel';
import type {SlashCommand, View, ViewOutcome} from '../../contract.js';
import type {Viewable} from './open-view.js';

type ViewName = Extract<ServiceName, `view:${string}`>;

interface ViewsParts {
  /** The services of views. */
  readonly names: readonly string[];
  open(name: ViewName): Promise<View>;
  show(what: Viewable): Promise<ViewOutcome | undefined>;
  /** Whether views are shown in lines that stay. */
  readonly inLines: boolean;
}

/** A view to open, or an action of it (`/memory edit`) for the item that some words name. */
export interface FoundView {
  readonly name: ViewName;
  readonly action?: string;
  readonly item?: string;
}

/** What follows, and the view that said so. */
export interface ShownView {
  readonly view: View;
  readonly outcome: ViewOutcome | undefined;
}

/** The views of plugins, by the commands that open them. */
export class Views {
  constructor(private readonly parts: ViewsParts) {}

  /**
   * The view that a command without further words opens: the one of its name, or of another name of the command. A word
   * behind it that is no command of its own can name an action.
   */
  find(words: readonly string[], commands: readonly SlashCommand[]): FoundView | undefined {
    const [first = '', action, ...item] = words;
    const command = commands.find((one) => one.words.length > 1 && one.words.join(' ') === `${first} ${action}`);
    if (command) return item.length > 0 ? undefined : this.#listed(command);
    const name = this.#named(first, commands);
    return name && {name, ...(action === undefined ? {} : {action, item: item.join(' ')})};
  }

  /** `/memory inbox` is another name for the list of a topic: its view shows the same. */
  #listed({aliasOf = []}: SlashCommand): FoundView | undefined {
    const name: ViewName = `view:${aliasOf.slice(0, -1).join(' ')}`;
    return aliasOf.at(-1) === 'list' && this.parts.names.includes(name) ? {name} : undefined;
  }

  #named(first: string, commands: readonly SlashCommand[]): ViewName | undefined {
    const rootOf = (command: SlashCommand): string => (command.aliasOf ?? command.words).join(' ');
    const meant = commands.find((one) => one.words.join(' ') === first);
    const alike = meant ? commands.filter((one) => rootOf(one) === rootOf(meant)) : [];
    const names = [[first], ...alike.map((one) => one.words)].map((one): ViewName => `view:${one.join(' ')}`);
    return names.find((name) => this.parts.names.includes(name));
  }

  /** Shows a view, and gives what is to follow; `command`: nothing was shown, the command says the same. */
  async show({name, action, item = ''}: FoundView): Promise<ShownView | 'command'> {
    const view = await this.parts.open(name);
    const description = await view.describe();
    if (action !== undefined) {
      if (!description.actions.some((one) => one.isTyped && one.name === action)) return 'command';
      const items = await view.list({text: '', isReversed: false}, new AbortController().signal);
      const [only, ...others] = items.filter(({label}) => label.endsWith(item));
      // Of several, the person chooses.
      if (only && others.length === 0) return {view, outcome: await view.act(action, only.id)};
    } else if (this.parts.inLines && description.inLines === 'command') return 'command';
    return {view, outcome: await this.parts.show({kind: 'list', view, description})};
  }
}
