import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {formatOf, writeExport} from '../../write-export.js';

/** Writes one conversation to a file, or prints it. */
export default class SessionsExport extends KernelCommand {
  static override summary = 'Export a session as Markdown for reading, or as JSON to start a new session from.';
  static override description =
    'Without a file, prints it. To start a new session from the JSON, run `gemini --session-file <file.json>`.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3 talk.md',
    '<%= config.bin %> <%= command.id %> latest talk.json --force',
    '<%= config.bin %> <%= command.id %> 3 --format json > talk.json',
  ];
  static override args = {
    session: Args.string({description: 'Number, id or latest.', required: true, ignoreStdin: true}),
    file: Args.string({description: 'File to write, ending in .md or .json.', ignoreStdin: true}),
  };
  static override flags = {
    format: Flags.string({
      description: 'Format of the printed session.',
      options: ['markdown', 'json'],
      default: 'markdown',
    }),
    force: Flags.boolean({description: 'Replace an existing file.', default: false}),
  };
  static override slash = true;

  async run(): Promise<{readonly file?: string; readonly text?: string}> {
    const {args, flags} = await this.parse(SessionsExport);
    const format = args.file === undefined ? (flags.format as 'markdown' | 'json') : formatOf(args.file);
    const text = await (await this.service('sessions')).export(args.session, format);
    if (args.file === undefined) {
      this.print(text);
      return {text};
    }
    const file = await writeExport(args.file, text, {cwd: this.kernel.environment.cwd, force: flags.force});
    this.log(`Wrote ${file}.`);
    return {file};
  }
}
