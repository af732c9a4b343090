import {KernelCommand} from '@gemini-kernel/command';
import {explainLeftOut} from '../../find-command.js';

export default class CommandsReload extends KernelCommand {
  static override summary = 'Read the files of custom commands again.';
  static override description = 'Changed, new and removed files are noticed without it.';
  static override examples = ['/commands reload'];
  static override slash = true;

  async run(): Promise<{readonly commands: number; readonly faults: number}> {
    await this.parse(CommandsReload);
    const listing = await (await this.service('custom-commands')).reload();
    const [commands, faults] = [listing.commands.length, listing.faults.length];
    const left = faults === 0 ? '' : ` ${faults === 1 ? 'One file is' : `${faults} files are`} left out.`;
    this.log(`Read ${commands} custom ${commands === 1 ? 'command' : 'commands'}.${left}`);
    for (const {reason} of listing.faults) this.logToStderr(this.style('warn', reason));
    for (const why of explainLeftOut(listing)) this.logToStderr(this.style('warn', why));
    return {commands, faults};
  }
}
