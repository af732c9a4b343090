import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {AgentStats} from '../contract.js';

export default class Stats extends KernelCommand {
  static override summary = 'Show the tokens, requests, tool calls and agents of this conversation.';
  static override description = 'Shows costs in dollars for models with a price in the setting model.prices.';
  static override examples = ['/stats'];
  static override aliases = ['/usage'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<AgentStats> {
    await this.parse(Stats);
    if (!this.session.live)
      throw new KernelError('CONVERSATION_NEEDED', 'There is no conversation to show.', {
        hint: 'Type /stats in a conversation. A headless run reports its statistics with --output-format json.',
      });
    const stats = await (await this.service('agent')).stats();
    if (stats.models.length === 0) this.log('There are no requests yet.');
    for (const {model, requests, errors, ms, usage, cost} of stats.models) {
      const count = (value: number): string => value.toLocaleString('en');
      const price = cost === undefined ? '' : `, $${cost.toFixed(4)}`;
      this.log(`${this.style('strong', model)}  ${describeUse('requests', requests, {failed: errors, ms})}${price}`);
      this.log(
        `  tokens: ${count(usage.input)} in (${count(usage.cached)} of them cached), ${count(usage.output)} out, ` +
          `${count(usage.thoughts)} thought`,
      );
    }
    for (const {tool, count, failed, ms} of stats.tools)
      this.log(`${tool}  ${describeUse('calls', count, {failed, ms})}`);
    for (const {agent, runs, requests, errors, ms, usage, cost} of stats.agents ?? []) {
      const price = cost === undefined ? '' : `, $${cost.toFixed(4)}`;
      this.log(
        `${this.style('strong', agent)}  ${runs} run${runs === 1 ? '' : 's'}, ` +
          `${describeUse('requests', requests, {failed: errors, ms})}, ${usage.total.toLocaleString('en')} tokens${price}`,
      );
    }
    if (stats.lines.added + stats.lines.removed > 0)
      this.log(`Lines: ${this.style('good', `+${stats.lines.added}`)} ${this.style('bad', `-${stats.lines.removed}`)}`);
    return stats;
  }
}

function describeUse(
  what: string,
  count: number,
  {failed, ms}: {readonly failed: number; readonly ms: number},
): string {
  return (
    `${count} ${count === 1 ? what.replace(/s$/, '') : what}${failed > 0 ? `, ${failed} failed` : ''}, ` +
    `${(ms / 1000).toFixed(1)} s`
  );
}
