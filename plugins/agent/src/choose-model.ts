import type {Form, FormAnswer} from '@gemini-kernel/kernel';
import type {Agent} from './contract.js';

interface Parts {
  ask(form: Form): Promise<FormAnswer>;
  readonly signal: AbortSignal;
}

/** The model that the person chooses from those of all providers; nothing if no one answers. */
export async function chooseModel(
  agent: Pick<Agent, 'model' | 'models'>,
  {ask, signal}: Parts,
): Promise<{readonly name?: string; readonly isKept: boolean}> {
  const [{chosen, model}, providers] = await Promise.all([agent.model(), agent.models(signal)]);
  const options = providers.flatMap(({provider, models}) =>
    models.map((name) => ({value: `${provider}:${name}`, label: `${provider}:${name}`})),
  );
  if (options.length === 0) return {isKept: false};
  const failures = providers.flatMap(({provider, failure}) => (failure ? [`${provider}: ${failure.message}`] : []));
  const current = options.find(({value}) => [chosen, model].some((one) => value === one || value.endsWith(`:${one}`)));
  const answer = await ask({
    title: `This conversation uses ${model}.`,
    ...(failures.length > 0 ? {text: failures.join('\n')} : {}),
    about: {kind: 'model', model},
    fields: [
      {name: 'name', label: 'Which model?', kind: 'choice', options, ...(current ? {default: current.value} : {})},
      {name: 'kept', label: 'Also for later conversations?', kind: 'yes-no', default: false},
    ],
  });
  if (answer.outcome !== 'answered') return {isKept: false};
  return {name: String(answer.values['name']), isKept: answer.values['kept'] === true};
}
