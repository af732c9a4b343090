import {join} from 'node:path';
import {defineTool} from '@gemini-kernel/kernel';
import type {PlanAnswer} from '../contract.js';
import {isPlanName} from '../plan-folder.js';
import {EXIT} from '../tool-names.js';

export default defineTool({
  name: EXIT,
  description:
    'Presents the plan to the user, who approves it or says what to change. Once it is approved, plan mode ends and ' +
    'you carry it out.',
  effect: 'other',
  annotations: {readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false},
  input: {
    type: 'object',
    required: ['plan_filename'],
    properties: {
      plan_filename: {type: 'string', minLength: 1, description: 'A Markdown file without folders: rename-orders.md.'},
      plan: {type: 'string', description: 'The whole plan as Markdown. Omit it if the file exists and is complete.'},
    },
  },
  /** Rules may name a folder of the project. Only this tool writes to the private one of the session. */
  async touches({plan_filename, plan}, {service}) {
    if (plan === undefined || !isPlanName(plan_filename)) return [];
    const plans = await service('plans');
    if (!(await plans.isInProject())) return [];
    return [{kind: 'path', value: join(await plans.folder(), plan_filename), access: 'write', isSubject: true}];
  },
  async run({plan_filename, plan}, {service, signal}) {
    const options = {signal, ...(plan === undefined ? {} : {text: plan})};
    const answer = await (await service('plans')).present(plan_filename, options);
    return {model: describe(answer, plan), display: displayOf(answer), data: answer};
  },
});

function describe(answer: PlanAnswer, given: string | undefined): string {
  if (answer.outcome === 'approved') {
    const isAsGiven = given !== undefined && given.trim() === answer.text.trim();
    return (
      `The plan is approved, and plan mode has ended. The approval mode is ${answer.plan.mode}. Carry out the plan` +
      (isAsGiven ? '.' : `, which the user has in this form:\n${answer.text}`)
    );
  }
  if (answer.outcome === 'closed') return 'The user closed the plan without an answer. Stay in plan mode.';
  return answer.feedback === undefined
    ? 'The user rejected the plan. Ask what should change.'
    : `The user rejected the plan and says:\n${answer.feedback}\nChange the plan, and present it again.`;
}

function displayOf(answer: PlanAnswer): string {
  if (answer.outcome === 'approved') return 'approved';
  return answer.outcome === 'closed' ? 'closed without an answer' : 'rejected';
}
