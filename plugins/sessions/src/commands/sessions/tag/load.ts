import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

/** Makes a session of a conversation that was kept under a name. */
export default class ResumeLoad extends KernelCommand {
  static override summary = 'Make a new session of a conversation that was saved under a name.';
  static override examples = ['<%= config.bin %> <%= command.id %> before-the-rewrite'];
  static override args = {tag: Args.string({description: 'The name.', required: true, ignoreStdin: true})};
  static override aliases = ['/chat:load', '/resume:load'];
  static override slash = true;

  async run(): Promise<{readonly id: string}> {
    const {args} = await this.parse(ResumeLoad);
    const {id} = await (await this.service('sessions')).resumeTag(args.tag);
    this.log(`${args.tag} is a session of its own now. Go on with it: ${this.config.bin} --resume ${id}`);
    return {id};
  }
}
