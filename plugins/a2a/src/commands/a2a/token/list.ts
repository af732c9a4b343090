import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {Tokens, type Grant} from '../../../tokens/tokens.js';

export default class TokenList extends KernelCommand {
  static override summary = 'List the tokens of other agents.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override enableJsonFlag = true;

  async run(): Promise<readonly Grant[]> {
    await this.parse(TokenList);
    const tokens = await new Tokens(await this.service('config-files'), this.kernel.environment.home).list();
    for (const {id, name, directory, mode, expires} of tokens)
      this.log(
        `${id}  ${name}  ${mode}  ${directory}${expires === undefined ? '' : `  until ${expires.slice(0, 10)}`}`,
      );
    if (tokens.length === 0) this.log('There are no tokens. Make one with gemini a2a token create <name>.');
    return tokens;
  }
}
