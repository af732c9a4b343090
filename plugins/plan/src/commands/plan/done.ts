import {KernelCommand} from '@gemini-kernel/command';

export default class PlanDone extends KernelCommand {
  static override summary = 'Forget that a plan is approved: the model no longer gets it with each prompt.';
  static override description = 'The file of the plan stays.';
  static override examples = ['/plan done'];
  static override slash = true;

  async run(): Promise<{readonly wasApproved: boolean}> {
    await this.parse(PlanDone);
    const wasApproved = await (await this.service('plans')).finish();
    this.log(wasApproved ? 'The plan no longer counts as approved.' : 'No plan is approved in this session.');
    return {wasApproved};
  }
}
