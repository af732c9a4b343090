import type {Session} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Agent} from '../contract.js';

/** What was chosen in a conversation, and holds for its next sessions. */
export interface Chosen {
  readonly model?: string;
  readonly thoughtLevel?: string;
}

export interface Carried {
  readonly chosen: Chosen;
  /** Whether added directories stay: a recorded session has its own. */
  readonly withDirectories: boolean;
}

/** Throws what refuses the choice. */
export async function choose(agent: Agent, {model, thoughtLevel}: Chosen): Promise<void> {
  if (model !== undefined) await agent.setModel(model);
  if (thoughtLevel !== undefined) await agent.setThoughtLevel(thoughtLevel);
}

/** Passes the person's choices on to the next session of a conversation. */
export async function carryOver(from: Session, to: Session, {chosen, withDirectories}: Carried): Promise<void> {
  if (to.info.mode !== from.info.mode) await to.setMode(from.info.mode);
  await carryModel(await to.service('agent'), chosen);
  if (!withDirectories) return;
  const roots = await (await from.service('workspace')).roots();
  const added = roots.filter(({source}) => source === 'session').map(({path}) => path);
  if (added.length > 0) await (await to.service('workspace')).add(added, {scope: 'session'});
}

/** A level of thinking that the model of the next session does not have is left behind. */
async function carryModel(agent: Agent, {model, thoughtLevel}: Chosen): Promise<void> {
  if (model !== undefined) await agent.setModel(model);
  if (thoughtLevel !== undefined && (await agent.model()).thoughtLevels.includes(thoughtLevel))
    await agent.setThoughtLevel(thoughtLevel);
}
