import {relative, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {CheckedCatalog} from '../../catalog/sign-catalog.js';

export default class CatalogsSign extends KernelCommand {
  static override summary = 'Sign a catalog.';
  static override description =
    'Adds a signature to the file <catalog>.sig, which is published beside the catalog. `gemini bundle key` makes a ' +
    'key. Sign again after each change.';
  static override examples = ['<%= config.bin %> <%= command.id %> catalog.json --key acme.key.pem --name acme'];
  static override args = {
    file: Args.string({description: 'The file of the catalog.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    key: Flags.string({description: 'File with the private key.', required: true}),
    name: Flags.string({description: 'Name under which others know the key.', required: true}),
  };

  async run(): Promise<CheckedCatalog> {
    const {args, flags} = await this.parse(CatalogsSign);
    const {cwd} = this.kernel.environment;
    const {signCatalogFile} = await import('../../catalog/sign-catalog.js');
    const signed = await signCatalogFile(resolve(cwd, args.file), resolve(cwd, flags.key), flags.name);
    this.log(`Signed by ${signed.signers.join(' and ')}: ${relative(cwd, signed.file)}.sig`);
    return signed;
  }
}
