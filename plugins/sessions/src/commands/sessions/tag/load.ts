import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

/** Creates a session from a conversation that was saved under a name. */
export default class ResumeLoad extends KernelCommand {
  static override summary = 'Create a new session from a conversation that was saved under a name.';
  static override examples = ['<%= config.bin %> <%= command.id %> before-the-rewrite'];
  static override args = {
    tag: Args.string({description: 'Name of the saved conversation.', required: true, ignoreStdin: true}),
  };
  static override aliases = ['/chat:load', '/resume:load'];
  static override slash = true;

  async run(): Promise<{readonly id: string}> {
    const {args} = await this.parse(ResumeLoad);
    const {id} = await (await this.service('sessions')).resumeTag(args.tag);
    this.log(`Created a session from ${args.tag}. To continue it, run: ${this.config.bin} --resume ${id}`);
    return {id};
  }
}
