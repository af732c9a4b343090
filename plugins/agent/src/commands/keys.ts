import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {KeyPlace} from '@gemini-kernel/terminal';

const TITLES: Readonly<Record<KeyPlace, string>> = {
  prompt: 'In the prompt',
  history: 'In the history, with ui.useAlternateBuffer',
  running: 'While a tool runs',
  search: 'In the search of earlier prompts',
  suggestions: 'In the list of completions',
  list: 'In a list of choices',
};

interface KeysResult {
  readonly file: string;
  readonly keys: readonly {
    readonly place: KeyPlace;
    readonly command: string;
    readonly keys: readonly string[];
    readonly summary: string;
  }[];
}

export default class Keys extends KernelCommand {
  static override summary = 'List the keys of a conversation, and check keybindings.json.';
  static override description =
    'The file ~/.gemini/keybindings.json changes keys: it is a list of {"key": "ctrl+x", "command": "edit.undo"}. ' +
    'A command that starts with - loses the key. Comments are allowed. Ends with 1 if the file has a fault.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<KeysResult> {
    await this.parse(Keys);
    const [{bindingsFile, loadBindings}, {KeyBindings, showKeyName}] = await Promise.all([
      import('../key-file.js'),
      import('@gemini-kernel/terminal'),
    ]);
    const file = bindingsFile(this.kernel.environment);
    const {bindings, faults} = await loadBindings(file);
    const standard = new Map(new KeyBindings().commands.map((one) => [`${one.place} ${one.name}`, one.keys.join()]));
    let place: KeyPlace | undefined;
    for (const command of bindings.commands) {
      if (command.place !== place) this.log(this.style('strong', TITLES[command.place]));
      place = command.place;
      const isChanged = standard.get(`${place} ${command.name}`) !== command.keys.join();
      const keys = command.keys.map(showKeyName).join(', ') || 'no key';
      this.log(
        `  ${command.name.padEnd(26)} ${keys}  ${this.style('dim', command.summary)}${isChanged ? ' (changed)' : ''}`,
      );
    }
    this.log(`Your changes: ${file}`);
    if (faults.length > 0)
      throw new KernelError('KEYBINDINGS_INVALID', `${file} is not followed in all it says.\n${faults.join('\n')}`, {
        hint: 'Correct the file; entries with a fault change nothing.',
      });
    return {
      file,
      keys: bindings.commands.map(({place: where, name, keys, summary}) => ({
        place: where,
        command: name,
        keys,
        summary,
      })),
    };
  }
}
