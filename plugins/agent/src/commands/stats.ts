import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {AgentStats} from '../contract.js';

export default class Stats extends KernelCommand {
  static override summary = 'Show what this conversation has cost: tokens, requests, calls of tools.';
  static override description = 'Costs in dollars are shown for models whose price is in the setting model.prices.';
  static override examples = ['/stats'];
  static override aliases = ['/usage'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<AgentStats> {
    await this.parse(Stats);
    if (!this.session.live)
      throw new KernelError('CONVERSATION_NEEDED', 'There is no conversation whose costs could be shown.', {
        hint: 'Type /stats in one. A headless run with --output-format json gives its own.',
      });
    const stats = await (await this.service('agent')).stats();
    if (stats.models.length === 0) this.log('Nothing has been asked yet.');
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
