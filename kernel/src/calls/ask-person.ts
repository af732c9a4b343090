import type {FormAnswer, FormReply, SentForm} from '../contract/form.js';
import type {Dispatch, Stage} from '../hooks/dispatch.js';
import {toJson} from '../hooks/to-json.js';
import {checkForm} from './check-form.js';
import {fillForm} from './form-fault.js';

/** Shows a form where no user interface of a plugin did; undefined when no one is there. */
export type Answer = (form: SentForm, signal: AbortSignal | undefined) => Promise<FormReply | undefined>;

interface Asking {
  readonly dispatch: Dispatch;
  readonly stage: Stage;
  readonly answer: Answer;
}

/**
 * Asks the listeners of `person:ask`, then the host. Values that do not fit the form count as closed. A form that
 * user interfaces cannot show is an error of the plugin that asks.
 */
export async function askPerson(
  {dispatch, stage, answer}: Asking,
  given: SentForm,
  signal: AbortSignal | undefined,
): Promise<FormAnswer> {
  const form = toJson(given, 'the form');
  await checkForm(form);
  if (!stage.session.interactive) return {outcome: 'nobody'};
  const reply = (await dispatch('person:ask', form, {...stage, signal})) ?? (await answer(form, signal));
  if (reply?.outcome !== 'answered') return {outcome: reply ? 'closed' : 'nobody'};
  const filled = fillForm(form, reply.values);
  if ('values' in filled) return {outcome: 'answered', values: filled.values};
  stage.tell({code: 'FORM_UNFIT', sentence: `An answer to "${form.title}" does not count: ${filled.fault}`});
  return {outcome: 'closed'};
}
