import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {formatOf, writeExport} from '../../../write-export.js';

/** Writes a conversation to a file. */
export default class ResumeShare extends KernelCommand {
  static override summary = 'Write a conversation to a file: .md for reading, .json to start a new session from.';
  static override description =
    'Without a name, writes gemini-conversation-<time>.json in the current directory. Outside a ' +
    'conversation, writes the latest one.';
  static override examples = ['<%= config.bin %> <%= command.id %> talk.md'];
  static override args = {
    file: Args.string({description: 'File to write, ending in .md or .json.', ignoreStdin: true}),
  };
  static override flags = {force: Flags.boolean({description: 'Replace an existing file.', default: false})};
  static override aliases = ['/chat:share', '/resume:share'];
  static override slash = true;

  async run(): Promise<{readonly file: string}> {
    const {args, flags} = await this.parse(ResumeShare);
    const name = args.file ?? `gemini-conversation-${Date.now()}.json`;
    const text = await (
      await this.service('sessions')
    ).export(this.session.live ? 'current' : 'latest', formatOf(name));
    const file = await writeExport(name, text, {cwd: this.kernel.environment.cwd, force: flags.force});
    this.log(`Wrote ${file}.`);
    return {file};
  }
}
