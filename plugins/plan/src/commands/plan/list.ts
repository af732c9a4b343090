import {KernelCommand} from '@gemini-kernel/command';
import type {PlanFile} from '../../contract.js';

export default class PlanList extends KernelCommand {
  static override summary = 'List the plans of this session.';
  static override examples = ['/plan list'];
  static override slash = true;

  async run(): Promise<{readonly plans: readonly (PlanFile & {readonly isApproved: boolean})[]}> {
    await this.parse(PlanList);
    const service = await this.service('plans');
    const approved = await service.approved();
    const plans = (await service.list()).map((plan) => ({...plan, isApproved: plan.path === approved?.path}));
    if (plans.length === 0) this.log('This session has no plan. Type /plan, and say what you want to do.');
    for (const {path, isApproved} of plans) this.log(`${isApproved ? this.style('good', '✓') : ' '} ${path}`);
    return {plans};
  }
}
