import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {PlanFile} from '../../contract.js';

export default class PlanShow extends KernelCommand {
  static override summary = 'Show a plan of this session.';
  static override description = 'Without a name, it is the approved plan, else the newest.';
  static override examples = ['/plan show', '/plan show rename-orders.md'];
  static override args = {name: Args.string({description: 'File name of a plan.', ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<{readonly plan: PlanFile; readonly text: string}> {
    const {args} = await this.parse(PlanShow);
    const shown = await (await this.service('plans')).read(args.name);
    this.log(this.style('dim', shown.plan.path));
    this.print(shown.text);
    return shown;
  }
}
