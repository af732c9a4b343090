import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {CheckedCatalog} from '../../catalog/sign-catalog.js';

export default class CatalogsCheck extends KernelCommand {
  static override summary = 'Check the file of a catalog.';
  static override description = 'For authors: says what is wrong with a catalog, and which keys its signatures name.';
  static override examples = ['<%= config.bin %> <%= command.id %> catalog.json'];
  static override args = {
    file: Args.string({description: 'The file of the catalog.', required: true, ignoreStdin: true}),
  };

  async run(): Promise<CheckedCatalog> {
    const {args} = await this.parse(CatalogsCheck);
    const {checkCatalog} = await import('../../catalog/sign-catalog.js');
    const checked = await checkCatalog(resolve(this.kernel.environment.cwd, args.file));
    const {name, entries, signers} = checked;
    const signed = signers.length > 0 ? `signed with ${signers.join(' and ')}` : 'not signed';
    this.log(`The catalog ${name} is valid: ${entries} entries, ${signed}.`);
    return checked;
  }
}
