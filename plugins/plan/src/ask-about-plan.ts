import type {Form, FormAnswer} from '@gemini-kernel/kernel';
import type {PlanFile} from './contract.js';
import {editForm, feedbackForm, planForm, type Choice} from './plan-form.js';

interface Asking {
  readonly plan: PlanFile;
  /** The text as it is now. */
  read(): Promise<string>;
  ask(form: Form): Promise<FormAnswer>;
}

type Asked =
  /** `text`: what the person saw. */
  | {readonly outcome: 'approved'; readonly mode: 'default' | 'auto_edit'; readonly text: string}
  | {readonly outcome: 'rejected'; readonly plan: PlanFile; readonly feedback?: string}
  | {readonly outcome: 'closed'; readonly plan: PlanFile};

/** Asks the person about a plan, again after each edit. */
export async function askAboutPlan({plan, read, ask}: Asking): Promise<Asked> {
  for (;;) {
    const text = await read();
    const given = await ask(planForm(plan, text));
    if (given.outcome !== 'answered') return {outcome: 'closed', plan};
    const choice = given.values['answer'] as Choice;
    if (choice === 'no') return rejected(plan, await ask(feedbackForm(plan)));
    if (choice === 'edit') {
      const edited = await ask(editForm(plan));
      if (edited.outcome !== 'answered' || edited.values['done'] === false) return {outcome: 'closed', plan};
      continue;
    }
    // What was shown is what is approved: a file that changed meanwhile is shown again.
    if ((await read()) === text) return {outcome: 'approved', mode: choice, text};
  }
}

function rejected(plan: PlanFile, given: FormAnswer): Asked {
  const feedback = given.outcome === 'answered' ? String(given.values['feedback']).trim() : '';
  return {outcome: 'rejected', plan, ...(feedback === '' ? {} : {feedback})};
}
