import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {TrustState} from '../../contract.js';

export default class TrustRemove extends KernelCommand {
  static override summary = 'Forget what was said about a folder.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> ../lib'];
  static override args = {
    path: Args.string({description: 'The folder; the current one if left out.', ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<TrustState> {
    const {args} = await this.parse(TrustRemove);
    const trust = await this.service('trust');
    const {rules} = await trust.list();
    const {path, file} = await trust.set(args.path ?? '.', undefined);
    const state = await trust.explain(args.path ?? '.');
    const isKnown = rules.some((rule) => rule.path === path);
    this.log(
      `${file} ${isKnown ? `says nothing about ${path} any more` : `said nothing about ${path} before`}. It is ` +
        `${state.trusted ? 'still' : 'not'} trusted.`,
    );
    return state;
  }
}
