import {KernelCommand} from '@gemini-kernel/command';
import type {TrustRule, TrustState} from '../../contract.js';

interface Listed {
  readonly file: string;
  readonly rules: readonly TrustRule[];
  readonly here: TrustState;
}

export default class TrustList extends KernelCommand {
  static override summary = 'List the folders that are trusted, and those that are not.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<Listed> {
    await this.parse(TrustList);
    const trust = await this.service('trust');
    const [{file, rules}, here] = await Promise.all([trust.list(), trust.state()]);
    const width = Math.max(0, ...rules.map(({level}) => level.length));
    for (const {path, level} of rules)
      this.log(
        `${this.style(level === 'DO_NOT_TRUST' ? 'bad' : 'good', level.padEnd(width))}  ` +
          `${path}${here.rule?.path === path ? this.style('dim', '  (decides here)') : ''}`,
      );
    if (rules.length === 0) this.log(`No folder is named in ${file}.`);
    this.log(this.style('dim', `Here: ${here.trusted ? 'trusted' : 'not trusted'}. ${here.reason}`));
    return {file, rules, here};
  }
}
