import type {ServiceContext} from '@gemini-kernel/kernel';
import {findHolding} from './approval-mode.js';
import type {} from './contract.js';
import type {LoadedPolicy} from './load-policy.js';
import {readPolicy} from './read-policy.js';

/** The rules of a session. An agent is judged by those that its caller has read, if both work in one place. */
export async function rulesOfPlace(context: ServiceContext): Promise<LoadedPolicy> {
  const {service, session} = context;
  const [shared, settings] = await Promise.all([service('place-rules'), service('settings')]);
  const known = session.parent === undefined ? undefined : shared.of(session.parent);
  const policy = known ?? (await readPolicy(context));
  const holding = known ?? {...policy, rules: await findHolding(settings, policy.rules)};
  shared.keep(session.id, holding);
  return holding;
}
