import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {ExtensionInfo} from '../../contract.js';
import {findExtension} from '../../find-extension.js';
import {describeConsent} from '../../store/describe-consent.js';

export default class ExtensionsShow extends KernelCommand {
  static override summary = 'Show what an extension brings.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = {
    name: Args.string({description: 'Name of the extension.', required: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<ExtensionInfo> {
    const {args} = await this.parse(ExtensionsShow);
    const found = findExtension(await (await this.service('extensions')).list(), args.name);
    const {name, version, description, source, folder, state, brings, unused} = found;
    this.log(`${name} ${version}${description === undefined ? '' : `: ${description}`}`);
    this.log(this.style('dim', `${state}, from ${source.location}${source.commit ? ` at ${source.commit}` : ''}`));
    this.log(this.style('dim', folder));
    if (unused) this.log(unused.sentence);
    for (const line of brings ? describeConsent(brings, source) : []) this.log(`  ${line}`);
    return found;
  }
}
