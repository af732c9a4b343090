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

/** The views of plugins, by the commands that open them. */
export class Views {
  constructor(private readonly parts: ViewsParts) {}

  /** The view that a command without further words opens: the one of its name, or of another name of the command. */
  find(words: readonly string[], commands: readonly SlashCommand[]): ViewName | undefined {
    if (words.length !== 1) return undefined;
    const rootOf = (command: SlashCommand): string => (command.aliasOf ?? command.words).join(' ');
    const meant = commands.find((one) => one.words.join(' ') === words[0]);
    const alike = meant ? commands.filter((one) => rootOf(one) === rootOf(meant)) : [];
    const names = [words, ...alike.map((one) => one.words)].map((one): ViewName => `view:${one.join(' ')}`);
    return names.find((name) => this.parts.names.includes(name));
  }

  /** Shows a view, and gives what is to follow; `command`: nothing was shown, the command says the same. */
  async show(name: ViewName): Promise<ViewOutcome | 'command' | undefined> {
    const view = await this.parts.open(name);
    const description = await view.describe();
    if (this.parts.inLines && description.inLines === 'command') return 'command';
    return this.parts.show({kind: 'list', view, description});
  }
}
