import {Args, Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {BundleDiff} from '../../bundle/diff-bundles.js';

export default class BundleDiffer extends InstallCommand {
  static override summary = 'Show what differs between two locked bundles, for whoever reviews them.';
  static override description =
    'New capabilities come first. Then plugins with the files that changed in them, policies line by line, ' +
    'settings, sources, keys, rules, expiry and serial. The name of an applied bundle stands for what is in ' +
    'force. With --exit-code the exit code is 1 when something differs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp-2.gemini-bundle corp-3.gemini-bundle',
    '<%= config.bin %> <%= command.id %> corp corp.bundle.lock.json --json',
  ];
  static override args = {
    before: Args.string({
      description: 'A lock, its folder, an exported archive, or the name of an applied bundle.',
      required: true,
      ignoreStdin: true,
    }),
    after: Args.string({description: 'The same, of what is to come.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    'exit-code': Flags.boolean({description: 'Exit with 1 when something differs.', default: false}),
  };

  async run(): Promise<BundleDiff> {
    const {args, flags} = await this.parse(BundleDiffer);
    const environment = await this.surroundings();
    const [{findBundle}, {diffBundles}, {diffReport}, {listArchiveFiles}] = await Promise.all([
      import('../../bundle/find-bundle.js'),
      import('../../bundle/diff-bundles.js'),
      import('../../bundle/diff-report.js'),
      import('../../bundle/list-archive-files.js'),
    ]);
    const [before, after] = [await findBundle(args.before, environment), await findBundle(args.after, environment)];
    const diff = await diffBundles(before, after, listArchiveFiles(environment, this.host.signal));
    const lines = diffReport(diff, (style, text) => this.style(style, text));
    for (const line of lines) this.log(line);
    if (flags['exit-code'] && lines.length > 1) this.host.end(1);
    return diff;
  }
}
