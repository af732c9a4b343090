import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

/** Saves a conversation under a name. */
export default class ResumeSave extends KernelCommand {
  static override summary = 'Save a conversation under a name.';
  static override description = 'Outside a conversation, saves the latest one.';
  static override examples = ['<%= config.bin %> <%= command.id %> before-the-rewrite'];
  static override args = {tag: Args.string({description: 'Name to save it under.', required: true, ignoreStdin: true})};
  static override flags = {
    force: Flags.boolean({description: 'Replace a saved conversation with this name.', default: false}),
  };
  static override aliases = ['/chat:save', '/resume:save'];
  static override slash = true;

  async run(): Promise<{readonly tag: string; readonly file: string}> {
    const {args, flags} = await this.parse(ResumeSave);
    const {file} = await (
      await this.service('sessions')
    ).saveTag(this.session.live ? 'current' : 'latest', args.tag, {force: flags.force});
    this.log(`Saved as ${args.tag}.`);
    return {tag: args.tag, file};
  }
}
