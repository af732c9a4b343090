import type {Form, FormAnswer} from '@gemini-kernel/kernel';

/** A form with one yes-or-no question. An empty answer means no. */
export function agreementForm({label, ...form}: Omit<Form, 'fields'> & {readonly label: string}): Form {
  return {...form, fields: [{name: 'agreed', label, kind: 'yes-no', default: false}]};
}

/** Whether the person agreed. A form that was closed, or that no one saw, counts as no. */
export function isAgreed(answer: FormAnswer): boolean {
  return answer.outcome === 'answered' && answer.values['agreed'] === true;
}
