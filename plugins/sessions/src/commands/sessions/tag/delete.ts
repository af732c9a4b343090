import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

/** Deletes a conversation that was saved under a name. */
export default class ResumeDelete extends KernelCommand {
  static override summary = 'Delete a conversation that was saved under a name.';
  static override examples = ['<%= config.bin %> <%= command.id %> before-the-rewrite'];
  static override args = {
    tag: Args.string({description: 'Name of the saved conversation.', required: true, ignoreStdin: true}),
  };
  static override aliases = ['/chat:delete', '/resume:delete'];
  static override slash = true;

  async run(): Promise<{readonly deleted: string}> {
    const {args} = await this.parse(ResumeDelete);
    await (await this.service('sessions')).deleteTag(args.tag);
    this.log(`Deleted ${args.tag}.`);
    return {deleted: args.tag};
  }
}
