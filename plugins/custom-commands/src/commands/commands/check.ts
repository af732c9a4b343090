import {KernelCommand} from '@gemini-kernel/command';
import type {CommandFault} from '../../contract.js';
import {explainLeftOut} from '../../find-command.js';

export default class CommandsCheck extends KernelCommand {
  static override summary = 'Name every file of a custom command that is broken, with line and column.';
  static override description = 'The exit code is 1 if a file is broken or was skipped.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<{readonly commands: number; readonly faults: readonly CommandFault[]}> {
    await this.parse(CommandsCheck);
    const listing = await (await this.service('custom-commands')).list();
    const {commands, faults} = listing;
    for (const {reason} of faults) this.log(`${this.style('bad', '✗')} ${reason}`);
    const count = commands.length === 1 ? '1 command works' : `${commands.length} commands work`;
    if (faults.length === 0) this.log(`${this.style('good', '✓')} ${count}.`);
    else this.host.end(1);
    for (const why of explainLeftOut(listing)) this.logToStderr(this.style('warn', why));
    return {commands: commands.length, faults};
  }
}
