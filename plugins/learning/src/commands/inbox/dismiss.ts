import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {InboxDone} from '../../contract.js';

export default class InboxDismiss extends KernelCommand {
  static override summary = 'Remove a proposal from the inbox.';
  static override examples = ['<%= config.bin %> <%= command.id %> 2'];
  static override args = {
    proposal: Args.string({description: 'Id or number.', required: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<InboxDone> {
    const {args} = await this.parse(InboxDismiss);
    const done = await (await this.service('inbox')).dismiss(args.proposal);
    this.log(`Dismissed ${done.id}. gemini inbox undo brings it back.`);
    return done;
  }
}
