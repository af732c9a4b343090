import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {Tokens} from '../../../tokens/tokens.js';

export default class TokenRevoke extends KernelCommand {
  static override summary = 'Revoke a token of another agent. A running server refuses it at once.';
  static override examples = ['<%= config.bin %> <%= command.id %> 1f0c9a2b'];
  static override args = {id: Args.string({description: 'Its id, as `a2a token list` shows it.', required: true})};
  static override enableJsonFlag = true;

  async run(): Promise<{readonly revoked: string}> {
    const {args} = await this.parse(TokenRevoke);
    await new Tokens(await this.service('config-files'), this.kernel.environment.home).revoke(args.id);
    this.log(`Revoked ${args.id}.`);
    return {revoked: args.id};
  }
}
