import {KernelCommand} from '@gemini-kernel/command';
import type {SlashCommand} from '@gemini-kernel/plugin-agent/contract';
import {Args} from '@oclif/core';
import type {CommandFault} from '../../contract.js';
import {describeOrigin, toShown, type ShownCommand} from '../../describe-command.js';
import {explainLeftOut, typedNames} from '../../find-command.js';

export default class CommandsList extends KernelCommand {
  static override summary = 'List your own slash commands, of the project, of you and of extensions.';
  static override description =
    'Commands are TOML files in .gemini/commands of the project and of your home. A command whose name is taken is ' +
    'listed under the name that you can type.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> git --json'];
  static override args = {
    filter: Args.string({description: 'Only commands whose name contains this.', ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<{readonly commands: readonly ShownCommand[]; readonly faults: readonly CommandFault[]}> {
    const {args} = await this.parse(CommandsList);
    const listing = await (await this.service('custom-commands')).list();
    const typed = typedNames(await this.#commands());
    const wanted = args.filter ?? '';
    const commands = listing.commands.map((one) => toShown(one, typed)).filter(({name}) => name.includes(wanted));
    const width = Math.max(0, ...commands.map(({name}) => name.length));
    for (const {name, description, argumentHint, origin} of commands) {
      const hint = argumentHint === undefined ? '' : `${argumentHint}  `;
      this.log(`/${name.padEnd(width)}  ${hint}${description}${this.style('dim', `  (${describeOrigin(origin)})`)}`);
    }
    if (commands.length === 0)
      this.log(
        wanted === ''
          ? 'There are no custom commands. Write one with `gemini commands new <name>`.'
          : `No custom command has "${wanted}" in its name.`,
      );
    // Outside a conversation, the notices of the slash commands say the same.
    if (this.host.live || !this.host.catalog.services.has('slash-commands'))
      for (const {reason} of listing.faults) this.logToStderr(this.style('warn', reason));
    for (const why of explainLeftOut(listing)) this.logToStderr(this.style('warn', why));
    return {commands, faults: listing.faults};
  }

  /** Without the agent, each command has the name of its file. */
  async #commands(): Promise<readonly SlashCommand[]> {
    return this.host.catalog.services.has('slash-commands') ? (await this.service('slash-commands')).list() : [];
  }
}
