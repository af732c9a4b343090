import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {InboxItem} from '../../contract.js';

export default class InboxShow extends KernelCommand {
  static override summary = 'Show a proposal: what it changes, and where it comes from.';
  static override examples = ['<%= config.bin %> <%= command.id %> 1'];
  static override args = {
    proposal: Args.string({description: 'Id or number.', required: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<InboxItem> {
    const {args} = await this.parse(InboxShow);
    const item = await (await this.service('inbox')).find(args.proposal);
    this.log(`${this.style('strong', item.id)} ${item.kind}, written ${item.written}`);
    for (const target of item.targets) this.log(`  ${target}`);
    if (item.sessions.length > 0) this.log(`  learned in ${item.sessions.join(', ')}`);
    if (item.fault !== undefined) this.log(this.style('warn', `It cannot be applied: ${item.fault}`));
    this.log(`\n${item.text}`);
    return item;
  }
}
