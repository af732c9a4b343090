import {dirname, relative, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

interface Exported {
  readonly file: string;
  readonly bytes: number;
  readonly integrity: string;
  readonly signers: readonly string[];
}

export default class BundleExport extends KernelCommand {
  static override summary = 'Write a locked bundle and everything it needs to one archive.';
  static override description =
    'The archive contains the lock, its signatures, the policies, and the archives of all plugins and ' +
    'their dependencies. `gemini bundle apply --from` installs it without a network. The same lock and ' +
    'signatures give the same bytes on every machine.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp.bundle.lock.json',
    '<%= config.bin %> <%= command.id %> corp.bundle.lock.json --out /media/usb/corp.gemini-bundle',
  ];
  static override args = {
    lock: Args.string({description: 'Lock that gemini bundle lock wrote.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    out: Flags.string({description: 'File to write. Default: <name>-<serial>.gemini-bundle in the current directory.'}),
  };

  async run(): Promise<Exported> {
    const {args, flags} = await this.parse(BundleExport);
    const {environment} = this.kernel;
    const [{openBundle}, {packBundle, writeExported}, {archiveSupply}, {integrityOf}] = await Promise.all([
      import('../../bundle/open-bundle.js'),
      import('../../bundle/export-bundle.js'),
      import('../../bundle/archive-supply.js'),
      import('../../install/fetch/integrity.js'),
    ]);
    const bundle = await openBundle(resolve(environment.cwd, args.lock));
    const {name, serial} = bundle.lock;
    const file = resolve(environment.cwd, flags.out ?? `${name}-${serial}.gemini-bundle`);
    const bytes = await packBundle(
      bundle,
      archiveSupply(environment, dirname(bundle.file ?? bundle.place), this.host.signal),
    );
    await writeExported(file, bytes, environment.newId());
    const signers = bundle.signatures.map(({key}) => key);
    this.log(`Wrote ${relative(environment.cwd, file)}: ${name}, serial ${serial}, ${bytes.length} bytes.`);
    if (signers.length === 0)
      this.log(
        `${this.style('warn', 'It is not signed')} and cannot be applied. Sign it: gemini bundle sign ` +
          `${args.lock} --key FILE --name NAME`,
      );
    return {file, bytes: bytes.length, integrity: integrityOf(bytes), signers};
  }
}
