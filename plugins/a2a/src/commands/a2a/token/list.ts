import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {describeProof} from '../../../tokens/describe-proof.js';
import {Tokens, type Grant} from '../../../tokens/tokens.js';

export default class TokenList extends KernelCommand {
  static override summary = 'List the tokens of other agents.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override enableJsonFlag = true;

  async run(): Promise<readonly Grant[]> {
    await this.parse(TokenList);
    const tokens = await new Tokens(await this.service('config-files'), this.kernel.environment.home).list();
    for (const grant of tokens) {
      const {id, name, directory, mode, expires} = grant;
      const end = expires === undefined ? '' : `  until ${expires.slice(0, 10)}`;
      const proof = grant.openid || grant.certificate ? `  by ${describeProof(grant)}` : '';
      this.log(`${id}  ${name}  ${mode}  ${directory}${end}${proof}`);
    }
    if (tokens.length === 0) this.log('There are no tokens. Make one with gemini a2a token create <name>.');
    return tokens;
  }
}
