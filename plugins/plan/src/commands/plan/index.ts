import {KernelCommand} from '@gemini-kernel/command';

export default class Plan extends KernelCommand {
  static override summary = 'Change to plan mode: look first, and change nothing before you approve a plan.';
  static override description =
    'The model presents a plan; you approve it, edit it or say what to change. /plan show prints the plan, ' +
    '/plan done forgets that it is approved.';
  static override examples = ['/plan', '<%= config.bin %> --approval-mode plan'];
  static override slash = true;

  async run(): Promise<{readonly mode: string; readonly folder: string}> {
    await this.parse(Plan);
    const entered = await (await this.service('plans')).enter();
    this.log(`This is plan mode. Plans are kept in ${entered.folder}.`);
    return entered;
  }
}
