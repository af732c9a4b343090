import {Args, Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {BundleDiff} from '../../bundle/diff-bundles.js';

export default class BundleDiffer extends InstallCommand {
  static override summary = 'Show what differs between two locked bundles, for a review.';
  static override description =
    'New capabilities come first, then plugins with their changed files, policies line by line, ' +
    'settings, sources, keys, rules, expiry and serial. To compare with what is in force, give the name ' +
    'of an applied bundle. With --exit-code, exits with 1 when there are differences.';
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
    after: Args.string({description: 'The newer one, in any of these forms.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    'exit-code': Flags.boolean({description: 'Exit with 1 when there are differences.', default: false}),
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
