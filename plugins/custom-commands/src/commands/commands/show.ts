import {KernelCommand} from '@gemini-kernel/command';
import type {SlashCommand} from '@gemini-kernel/plugin-agent/contract';
import {Args} from '@oclif/core';
import {readText} from '@gemini-kernel/files';
import {describeOrigin, describeParts, toShown, type ShownCommand} from '../../describe-command.js';
import {findCommand, typedNames} from '../../find-command.js';

type Shown = ShownCommand & ReturnType<typeof describeParts> & {readonly text: string};

export default class CommandsShow extends KernelCommand {
  static override summary = 'Show a custom command: its file, whose it is, what it reads and runs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> git:commit',
    '<%= config.bin %> <%= command.id %> git:commit --json',
  ];
  static override args = {
    name: Args.string({description: 'Its name, with or without the slash.', required: true, ignoreStdin: true}),
  };

  async run(): Promise<Shown> {
    const {args} = await this.parse(CommandsShow);
    const listing = await (await this.service('custom-commands')).list();
    const typed = typedNames(await this.#commands());
    const command = findCommand(args.name, listing, typed);
    const parts = describeParts(command.parts);
    const shown = {...toShown(command, typed), ...parts, text: await readText(command.file)};
    this.log(`/${shown.name}  ${shown.description}`);
    this.log(`From:      ${describeOrigin(shown.origin)}, ${shown.file}`);
    if (shown.argumentHint !== undefined) this.log(`Usage:     /${shown.name} ${shown.argumentHint}`);
    for (const file of parts.files) this.log(`Reads:     ${file}`);
    for (const line of parts.shell) this.log(`Runs:      ${line}`);
    const places = parts.arguments.join(', ');
    this.log(`Arguments: ${places === '' ? 'are added after the prompt' : places}`);
    this.print(`\n${shown.text}`);
    return shown;
  }

  /** Without the agent, each command has the name of its file. */
  async #commands(): Promise<readonly SlashCommand[]> {
    return this.host.catalog.services.has('slash-commands') ? (await this.service('slash-commands')).list() : [];
  }
}
