import {KernelCommand} from '@gemini-kernel/command';
import type {InboxItem} from '../../contract.js';

export default class InboxList extends KernelCommand {
  static override summary = 'List what was learned in this project and waits for you.';
  static override description =
    'Proposals of skills, of changes of skills and of memory, also those that Gemini CLI has written. Nothing is ' +
    'applied before you say so. One that cannot be applied is listed with the reason.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '/memory inbox'];
  static override aliases = ['/memory:inbox'];
  static override slash = true;

  async run(): Promise<{readonly items: readonly InboxItem[]}> {
    await this.parse(InboxList);
    const items = await (await this.service('inbox')).list();
    for (const [at, {id, kind, targets, sessions, fault}] of items.entries()) {
      this.log(`${at + 1}. ${this.style('strong', id)} ${this.style('dim', kind)}`);
      for (const target of targets) this.log(`   ${target}`);
      if (sessions.length > 0) this.log(this.style('dim', `   learned in ${sessions.join(', ')}`));
      if (fault !== undefined) this.log(`   ${this.style('warn', `cannot be applied: ${fault}`)}`);
    }
    this.log(items.length === 0 ? 'The inbox is empty.' : '\ngemini inbox show <id> shows one of them.');
    return {items};
  }
}
