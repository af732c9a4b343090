import type {Session} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';

export interface Carried {
  /** The model that was chosen in this conversation. */
  readonly model: string | undefined;
  /** Whether added directories stay: a recorded session has its own. */
  readonly withDirectories: boolean;
}

/** Passes the person's choices on to the next session of a conversation. */
export async function carryOver(from: Session, to: Session, {model, withDirectories}: Carried): Promise<void> {
  if (to.info.mode !== from.info.mode) await to.setMode(from.info.mode);
  if (model !== undefined) await (await to.service('agent')).setModel(model);
  if (!withDirectories) return;
  const roots = await (await from.service('workspace')).roots();
  const added = roots.filter(({source}) => source === 'session').map(({path}) => path);
  if (added.length > 0) await (await to.service('workspace')).add(added, {scope: 'session'});
}
