import type {Confirmation} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';
import type {PermissionOption, RequestPermissionResponse} from '#sdk';

type Choice = Question['choices'][number];

/** The answers that an editor offers, each with what it keeps. */
export function toOptions({choices}: Question): PermissionOption[] {
  return offered(choices).map((choice) => ({
    optionId: choice.value,
    name: nameOf(choice),
    kind: kindOf(choice),
    ...(choice.keeps ? {_meta: {keeps: choice.keeps}} : {}),
  }));
}

/** What the offered answers would keep, as text beside the question; empty when none keeps anything. */
export function keptText({choices}: Question): string {
  const kept = offered(choices).flatMap(({label, keeps}) =>
    keeps ? [`"${label}" keeps${keeps.file ? `, in ${keeps.file}` : ''}:\n${keeps.rules.trim()}`] : [],
  );
  // Both scopes usually keep the same rules.
  return kept.join('\n\n');
}

/** Only an answer that was offered counts as yes. */
export function readAnswer({choices}: Question, {outcome}: RequestPermissionResponse): Confirmation {
  if (outcome.outcome !== 'selected') return {decision: 'no', reason: 'The person at the editor closed the question.'};
  const chosen = offered(choices).find(({value}) => value === outcome.optionId);
  return chosen?.answer ?? {decision: 'no', reason: 'The editor gave an answer that was not offered.'};
}

function offered(choices: Question['choices']): readonly Choice[] {
  return choices.filter(({unavailable}) => unavailable === undefined);
}

function kindOf({answer}: Choice): PermissionOption['kind'] {
  if (answer.decision === 'no') return 'reject_once';
  return answer.remember === undefined ? 'allow_once' : 'allow_always';
}

const NAMES: Readonly<Record<string, string>> = {
  yes: 'Allow once',
  session: 'Allow for this session',
  always: 'Always allow',
  no: 'Reject',
};

function nameOf({value, label, description}: Choice): string {
  const name = NAMES[value] ?? label;
  return value === 'always' && description ? `${name} (${description})` : name;
}
