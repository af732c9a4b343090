import {KernelCommand} from '@gemini-kernel/command';
import type {Agent} from '../contract.js';

export default class Models extends KernelCommand {
  static override summary = 'List the available models, by provider.';
  static override description = 'Asks each provider for its list. If a provider fails, its reason is shown.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{readonly providers: Awaited<ReturnType<Agent['models']>>}> {
    await this.parse(Models);
    const agent = await this.service('agent');
    const providers = await agent.models(this.host.signal);
    for (const {provider, models, failure} of providers) {
      this.log(this.style('strong', provider));
      for (const model of models) this.log(`  ${provider}:${model}`);
      if (failure) this.log(`  ${this.style('warn', failure.message)}${failure.hint ? `\n  ${failure.hint}` : ''}`);
      else if (models.length === 0) this.log(`  ${this.style('dim', 'none')}`);
    }
    return {providers};
  }
}
