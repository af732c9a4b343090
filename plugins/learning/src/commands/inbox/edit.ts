import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {InboxItem} from '../../contract.js';
import {describeState} from '../../inbox/describe-item.js';

export default class InboxEdit extends KernelCommand {
  static override summary = 'Open a proposal in your editor, before you apply it.';
  static override description =
    'The editor is that of `/editor`, VISUAL or EDITOR. When it is closed, the proposal is checked again. In a ' +
    'conversation, /inbox edit <id> does the same.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1',
    'EDITOR=vim <%= config.bin %> <%= command.id %> skill:release',
  ];
  static override args = {
    proposal: Args.string({description: 'Id or number.', required: true, ignoreStdin: true}),
  };
  static override terminal = true;

  async run(): Promise<InboxItem> {
    const {args} = await this.parse(InboxEdit);
    const [inbox, {runEditor}] = await Promise.all([
      this.service('inbox'),
      import('@gemini-kernel/plugin-agent/editor'),
    ]);
    const {id} = await inbox.find(args.proposal);
    const output = this.jsonEnabled() ? 2 : 'inherit';
    await runEditor(await inbox.file(id), {
      environment: this.kernel.environment,
      seat: {input: 'inherit', output, service: (name) => this.service(name)},
    });
    const item = await inbox.find(id);
    this.log(describeState(item));
    return item;
  }
}
